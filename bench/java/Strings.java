/** Strings: StringBuilder, charAt, substring, hashCode, equals, indexOf, concatenation. */
public class Strings {
    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 30;
        long check = 0;
        for (int r = 0; r < scale; r++) {
            StringBuilder b = new StringBuilder();
            for (int i = 0; i < 6_000; i++) {
                b.append("word").append(i % 97).append(i % 3 == 0 ? ", " : " ");
            }
            String text = b.toString();
            int words = 0, digits = 0, at = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == ' ') {
                    String w = text.substring(at, i);
                    check = check * 31 + w.hashCode();
                    if (w.startsWith("word9") || w.equals("word42") || w.endsWith("7")) words++;
                    at = i + 1;
                } else if (c >= '0' && c <= '9') {
                    digits++;
                }
            }
            int found = 0;
            for (int i = text.indexOf("word5"); i >= 0; i = text.indexOf("word5", i + 1)) found++;
            String joined = "";
            for (int i = 0; i < 200; i++) joined += i + ";";
            check += words * 7L + digits + found * 3L + joined.length() + text.replace('w', 'W').hashCode();
        }
        System.out.println(check);
    }
}
