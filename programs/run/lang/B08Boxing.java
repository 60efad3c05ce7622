import java.util.*;

/** Boxing, unboxing, mixed comparisons, caches, overload resolution with boxes. */
public class B08Boxing {
    static String f(Object o) { return o.getClass().getSimpleName(); }
    static String g(long l) { return "long"; }
    static String g(Integer i) { return "Integer"; }
    static String h(Number n) { return "Number"; }
    static String h(Comparable<?> c) { return "Comparable"; }

    public static void main(String[] args) {
        Integer a = 127, b = 127, c = new ArrayList<>(List.of(127)).get(0);
        System.out.println((a == b) + " " + (a == c) + " " + a.equals(c));
        Long l = 5L;
        l++;
        l += 2;
        System.out.println(l + " " + (l == 8) + " " + l.equals(8) + " " + l.equals(8L));
        Character ch = 'a';
        ch++;
        System.out.println(ch + 1);
        System.out.println((char) (ch + 1) + "" + ch);
        Object o = true ? 1 : "s";
        System.out.println(f(o) + f(1 > 0 ? 1 : 2L) + f('c') + f(1f) + f((short) 1) + f((byte) 1) + f(true));
        System.out.println(g(1) + h((Integer) 1 == null ? null : (Number) 1));
        Map<Character, Integer> counts = new TreeMap<>();
        for (char x : "mississippi".toCharArray()) counts.put(x, counts.getOrDefault(x, 0) + 1);
        System.out.println(counts);
        List<Integer> list = new ArrayList<>(List.of(10, 20, 30));
        list.remove(1);
        list.remove((Integer) 10);
        System.out.println(list);
        Integer nul = null;
        try {
            int x = nul;
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            boolean x = nul == 3;
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        Double d = Double.NaN;
        System.out.println(d.equals(Double.NaN) + " " + (d == Double.NaN) + " " + Double.valueOf(0.0).equals(-0.0) + " " + (0.0 == -0.0));
        System.out.println(new int[] {1, 2}.length + Arrays.asList(1, 2).size() + Arrays.asList(new int[] {1, 2}).size());
        System.out.println(Byte.toUnsignedInt((byte) -1) + " " + Short.toUnsignedInt((short) -1) + " " + Integer.MAX_VALUE + Integer.MIN_VALUE);
        Boolean flag = Boolean.TRUE;
        flag &= false;
        System.out.println(flag + " " + Boolean.logicalXor(true, false) + Character.getNumericValue('z') + Character.toChars(0x1F600).length);
    }
}
