/** StringBuilder and StringBuffer. */
public class A02Builder {
    public static void main(String[] args) {
        StringBuilder b = new StringBuilder();
        b.append(1).append('c').append(2L).append(3.5f).append(4.5).append(true).append("s").append((Object) null)
            .append((String) null).append(new char[] {'x'}).append("abcdef", 2, 4).appendCodePoint(0x1F600).append((char) 0x1234);
        System.out.println(b.length() + " " + b.codePointCount(0, b.length()));
        b.setLength(10);
        System.out.println(b);
        b.insert(0, "start").insert(3, 42).insert(b.length(), 'E');
        System.out.println(b);
        b.delete(1, 3).deleteCharAt(0).replace(0, 2, "REPLACED");
        System.out.println(b + " " + b.indexOf("L") + " " + b.lastIndexOf("E"));
        b.reverse();
        System.out.println(b);
        b.setCharAt(0, '\u20ac');
        System.out.println((int) b.charAt(0) + " " + b.substring(1, 4) + b.subSequence(2, 3));
        System.out.println(b.compareTo(new StringBuilder("x")) + " " + new StringBuilder("a\uD83D\uDE00b").reverse().codePointAt(1));
        b.setLength(12);
        System.out.println((int) b.charAt(11));
        b.ensureCapacity(1000);
        b.trimToSize();
        StringBuffer f = new StringBuffer("buffer");
        f.append(b.length()).insert(0, '<').append('>').reverse();
        System.out.println(f);
        try {
            b.charAt(100);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            b.insert(-1, "x");
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        StringBuilder large = new StringBuilder();
        for (int i = 0; i < 10000; i++) large.append((char) ('a' + i % 26));
        System.out.println(large.toString().hashCode());
    }
}
