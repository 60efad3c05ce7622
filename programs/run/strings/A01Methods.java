/** The usual methods of String. */
public class A01Methods {
    public static void main(String[] args) {
        String s = "  The quick brown fox  ";
        System.out.println(s.length() + s.trim() + "|" + s.strip() + "|" + s.stripLeading() + "|" + s.stripTrailing() + "|");
        System.out.println(s.indexOf("quick") + " " + s.indexOf('x') + " " + s.lastIndexOf('o') + " " + s.indexOf("zzz") + " "
                + s.indexOf('q', 7) + " " + s.lastIndexOf("o", 15) + " " + s.indexOf(""));
        System.out.println(s.toUpperCase() + s.toLowerCase());
        System.out.println(s.replace('o', '0') + s.replace("quick", "slow") + s.replaceAll("[aeiou]", "*"));
        System.out.println(s.trim().substring(4) + "|" + s.trim().substring(4, 9) + "|" + s.substring(5, 5) + "|");
        System.out.println(s.contains("brown") + " " + s.isBlank() + " " + "".isEmpty() + " " + s.trim().startsWith("The")
                + " " + s.endsWith("  ") + " " + s.startsWith("quick", 6));
        System.out.println("abc".compareTo("abd") + " " + "abc".compareTo("ab") + " " + "ABC".compareToIgnoreCase("abd") + " "
                + "abc".equalsIgnoreCase("ABC") + " " + "a".compareTo("\u1234"));
        System.out.println(String.join("-", "a", "b", "c") + " " + "ab".repeat(3) + " " + "x".repeat(0) + "|");
        System.out.println(java.util.Arrays.toString("a,b,,c,,".split(",")) + java.util.Arrays.toString("a,b,,c,,".split(",", -1))
                + java.util.Arrays.toString("a1b22c".split("\\d+")) + java.util.Arrays.toString("abc".split("")));
        System.out.println("hello".chars().sum() + " " + "hello".hashCode() + " " + "".hashCode() + " " + "hello".charAt(4));
        System.out.println(String.valueOf(new char[] {'x', 'y'}) + String.valueOf(3.0f) + String.valueOf((Object) null)
                + String.copyValueOf(new char[] {'a', 'b', 'c'}, 1, 2));
        System.out.println("a\nb\r\nc".lines().count() + " " + "Hello".toCharArray().length + " " + "x".concat("y"));
        System.out.println("hello".regionMatches(1, "xell", 1, 3) + " " + "hello".regionMatches(true, 1, "XELL", 1, 3));
        System.out.println("abc".contentEquals(new StringBuilder("abc")) + " " + "a-b".matches("[a-z]-[a-z]"));
        System.out.println("%d items".formatted(3) + " " + "  x\n y".indent(2).replace("\n", "$") + "a".compareTo("b"));
        System.out.println("\\t\\n".translateEscapes().length() + " " + "  a\n  b".stripIndent());
        System.out.println("abc".describeConstable().get() + " " + "x".transform(x -> x + "!"));
        for (String bad : new String[] {"charAt", "sub", "sub2", "repeat", "valueOf"}) {
            try {
                switch (bad) {
                    case "charAt" -> "abc".charAt(3);
                    case "sub" -> "abc".substring(4);
                    case "sub2" -> "abc".substring(2, 1);
                    case "repeat" -> "abc".repeat(-1);
                    default -> Integer.parseInt("");
                }
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
    }
}
