/** String basics: identity of literals, intern, concatenation of all types. */
public class A18Strings {
    static final String CONSTANT = "con" + "stant" + 1 + 2.0 + true + 'c' + null;

    public static void main(String[] args) {
        String a = "hello";
        String b = "hel" + "lo";
        String c = new String("hello");
        String hel = "hel";
        System.out.println(a == b);
        System.out.println(a == c);
        System.out.println(a == c.intern());
        System.out.println(a == hel + "lo");
        System.out.println(a == (hel + "lo").intern());
        System.out.println(CONSTANT);
        Object o = null;
        char[] chars = null;
        String s = null;
        s += 1 + 2 + "3" + 4 + 5;
        System.out.println(s + o + chars);
        byte by = -1;
        short sh = -2;
        System.out.println("" + by + sh + 'x' + 1 + 2L + 3.5f + 4.5 + true + s + o + (char) 66 + (int) 'B');
        System.out.println('a' + 'b' + "c" + 'd' + 1);
        System.out.println(1 + 'a' + "x");
        System.out.println("a" + (1 > 0 ? null : 3) + new int[0].length);
        String big = "";
        for (int i = 0; i < 50; i++) big += i + ",";
        System.out.println(big.length() + big);
        System.out.println("tab\there \"quote\" \\ \101 \u0041 nul[" + "\0".length() + "]");
        System.out.println("a\1b\2".length());
        String marker = "x\1" + a + "\2y" + 1;
        System.out.println(marker.length() + " " + (int) marker.charAt(1) + " " + marker.equals("x\1hello\2y1"));
    }
}
