/** String concatenation by invokedynamic: many operands, all types, constants, side effects. */
public class B03Concat {
    static int n;
    static int next() { return ++n; }
    static String s() { return "s" + next(); }
    static class T { public String toString() { return null; } }
    static class U { public String toString() { n++; return "U" + n; } }

    public static void main(String[] args) {
        boolean z = true; byte b = -5; char c = '\u00e9'; short sh = 300; int i = -7; long l = 1L << 50; float f = 1.1f; double d = 1e100; Object o = new T(); String nul = null;
        System.out.println(("" + z + b + c + sh + i + l + f + d + o + nul).length());
        System.out.println("a" + z + "b" + b + "c" + sh + "d" + i + "e" + l + "f" + f + "g" + d + "h" + o + "i" + nul);
        System.out.println(s() + s() + s() + next() + new U() + new U() + n);
        String t = "t";
        t += t += t + next();
        System.out.println(t);
        String many = "" + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i
            + l + l + l + l + l + l + l + l + l + l + l + l + l + l + l + l + l + l + l + l + d + d + d + d + d + d + d + d + d + d + z + z + z + z + z;
        System.out.println(many.length() + " " + many.hashCode());
        String huge = "" + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l
            + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l
            + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l
            + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l
            + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + "end";
        System.out.println(huge.length() + " " + huge.hashCode());
        char[] arr = {'x'};
        System.out.println(("" + arr).startsWith("[C@") + String.valueOf(arr));
        System.out.println("" + (char) 0 + (int) (char) 0 + -0.0 + 0f + Float.MIN_VALUE + Long.MIN_VALUE + Byte.MIN_VALUE);
        Integer boxed = 5;
        Character ch = 'q';
        System.out.println(boxed + ch + "" + boxed + ch);
        final String constant = "k";
        System.out.println((constant + 1) == "k1");
        StringBuilder sb = new StringBuilder("sb");
        System.out.println("with " + sb + sb.append("!") + sb);
        String fromArray = "";
        String[] parts = {"a", "b"};
        int idx = 0;
        parts[idx++] += idx + "x";
        System.out.println(parts[0] + parts[1] + idx + fromArray);
        CharSequence cs = new StringBuilder("cs");
        System.out.println("" + cs + 'c' + null + new int[0].length);
    }
}
