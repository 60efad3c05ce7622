package heddle.replay;

import java.util.ArrayList;
import java.util.List;

/** The words of a line, as docs/schedules.md has them: blanks between, # for comments, quotes. */
final class Words {
    private Words() {}

    /** Cuts a line; throws IllegalArgumentException with what is wrong in it. */
    static List<String> split(String line) {
        List<String> words = new ArrayList<String>();
        char[] chars = line.toCharArray();
        int at = 0;
        while (true) {
            while (at < chars.length && blank(chars[at])) {
                at++;
            }
            if (at == chars.length || chars[at] == '#') {
                return words;
            }
            if (chars[at] == '"') {
                StringBuilder word = new StringBuilder();
                at = quoted(line, at + 1, word);
                if (at < chars.length && !blank(chars[at]) && chars[at] != '#') {
                    throw new IllegalArgumentException("expected a blank after the closing \"");
                }
                words.add(word.toString());
            } else {
                int start = at;
                // Most characters are neither, and need not be asked about by a call.
                for (char c; at < chars.length && (c = chars[at]) != '#'; at++) {
                    if ((c <= ' ' || c >= 0x80) && blank(c)) {
                        break;
                    }
                }
                words.add(line.substring(start, at));
            }
        }
    }

    private static int quoted(String line, int at, StringBuilder word) {
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (c == '"') {
                return at;
            }
            if (c != '\\') {
                word.append(c);
                continue;
            }
            char escaped = at < line.length() ? line.charAt(at++) : '"';
            switch (escaped) {
                case 'n':
                    word.append('\n');
                    break;
                case 't':
                    word.append('\t');
                    break;
                case '"':
                case '\\':
                    word.append(escaped);
                    break;
                case 'u':
                    if (at + 4 > line.length()) {
                        throw new IllegalArgumentException("expected four digits after \\u");
                    }
                    word.append((char) Integer.parseInt(line.substring(at, at + 4), 16));
                    at += 4;
                    break;
                default:
                    throw new IllegalArgumentException("unknown escape \\" + escaped);
            }
        }
        throw new IllegalArgumentException("a \" is never closed; expected another one on the same line");
    }

    /** A word in quotes. */
    static String quoted(String word) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c == '\n') {
                text.append("\\n");
            } else if (c == '\t') {
                text.append("\\t");
            } else if (c < ' ' || c == 0x7f) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(Character.isSurrogate(c) ? '?' : c);
            }
        }
        return text.append('"').toString();
    }

    private static boolean blank(char c) {
        return c <= ' ' || Character.isWhitespace(c);
    }
}
