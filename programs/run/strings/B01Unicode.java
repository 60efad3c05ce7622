import java.nio.charset.StandardCharsets;
import java.util.*;

/** Latin-1 and UTF-16 strings, surrogates, code points, case mapping. */
public class B01Unicode {
    static void show(String s) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) b.append(c < 128 && c >= 32 ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        System.out.println(b);
    }

    public static void main(String[] args) {
        String[] all = {"plain", "caf\u00e9", "\u20ac uro", "\uD83D\uDE00 smile", "stra\u00dfe", "\u0130stanbul", "\ufb01sh", "\u03a3\u03a3", "a\uD83Dz"};
        for (String s : all) {
            show(s + " " + s.length() + " " + s.codePointCount(0, s.length()));
            show(s.toUpperCase(Locale.ROOT) + "|" + s.toLowerCase(Locale.ROOT) + "|" + new StringBuilder(s).reverse());
            System.out.println(s.hashCode() + " " + Arrays.toString(s.codePoints().toArray()) + " " + s.indexOf(0x1F600) + " " + s.indexOf('\u00e9'));
            System.out.println(s.getBytes(StandardCharsets.UTF_8).length + " " + s.getBytes(StandardCharsets.ISO_8859_1).length + " " + s.getBytes(StandardCharsets.UTF_16).length);
        }
        show("caf\u00e9" + "\u20ac" + 'x' + (char) 0x1234 + 1.5);
        show("caf\u00e9\u20ac".substring(0, 4) + "\u20acabc".substring(1));
        System.out.println("caf\u00e9\u20ac".substring(0, 4).equals("caf\u00e9"));
        show("\u20acx".replace('\u20ac', 'E') + "aXa".replace('X', '\u20ac') + "ab".replace("b", "\u1234"));
        System.out.println("\u00e9".compareTo("\u20ac") + " " + "\u20ac".compareTo("\u00e9") + " " + "\u00c9".equalsIgnoreCase("\u00e9") + " " + "\u20ac".equals("\u20ac"));
        System.out.println(Character.isLetter('\u00e9') + " " + Character.isDigit('\u0663') + " " + Character.getNumericValue('\u0663') + " "
                + Character.getType('\u20ac') + " " + Character.isWhitespace('\u2003') + " " + Character.isUpperCase('\u00c9') + " "
                + Character.toTitleCase('\u01c6') + " " + (int) Character.toUpperCase('\u00ff') + " " + Character.getName('a') + " "
                + Character.isJavaIdentifierStart('$') + " " + Character.UnicodeBlock.of('\u0416') + " " + Character.isIdeographic(0x4e00)
                + " " + Character.isSurrogate('\uD83D') + " " + Character.charCount(0x1F600) + " " + Character.digit('f', 16) + " " + Character.forDigit(11, 16)
                + " " + Character.UnicodeScript.of('\u03b1') + " " + Character.getDirectionality('\u05d0') + " " + Character.isMirrored('('));
        StringBuilder types = new StringBuilder();
        for (int c = 0; c < 0x3000; c += 37) types.append((char) ('a' + Character.getType(c)));
        System.out.println(types);
        int letters = 0, upper = 0, spaces = 0, ids = 0;
        for (int c = 0; c < 0x20000; c++) {
            if (Character.isLetter(c)) letters++;
            if (Character.isUpperCase(c)) upper++;
            if (Character.isSpaceChar(c)) spaces++;
            if (Character.isUnicodeIdentifierPart(c)) ids++;
        }
        System.out.println(letters + " " + upper + " " + spaces + " " + ids);
    }
}
