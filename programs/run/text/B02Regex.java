import java.util.*;
import java.util.regex.*;

/** Regular expressions: groups, flags, look-around, replacement, splitting. */
public class B02Regex {
    static void all(String regex, String text, int flags) {
        Matcher m = Pattern.compile(regex, flags).matcher(text);
        StringBuilder b = new StringBuilder(regex + ":");
        while (m.find()) {
            b.append(" [").append(m.start()).append(',').append(m.end()).append(")=").append(m.group());
            for (int i = 1; i <= m.groupCount(); i++) b.append('/').append(m.group(i));
        }
        System.out.println(b);
    }

    public static void main(String[] args) {
        all("a*b", "aab ab b", 0);
        all("(\\w+)@(\\w+)\\.com", "joe@example.com, ann@test.com", 0);
        all("(a+)(b*)?(c)?", "aab aac", 0);
        all("^\\w+$", "one\ntwo\nthree", Pattern.MULTILINE);
        all("HELLO", "hello Hello", Pattern.CASE_INSENSITIVE);
        all("a.c", "a\nc abc", Pattern.DOTALL);
        all("(?<=\\$)\\d+(?!\\d|\\.)", "$12 $3.5 $400", 0);
        all("(?<!x)y", "xy yy", 0);
        all("(\\w)\\1", "aabbcd", 0);
        all("(?<first>\\d)(?<second>\\d)", "1234", 0);
        all("a{2,3}?|b{2}+", "aaaaa bbb", 0);
        all("(?>a+)b|a+c", "aaac aab", 0);
        all("[a-z&&[^aeiou]]+", "hello world", 0);
        all("\\p{Lu}\\p{L}*|\\d+", "Alpha beta 42 Gamma", 0);
        all("\\bfoo\\b", "foo foobar barfoo foo", 0);
        all("# comment\n a b # more", "ab", Pattern.COMMENTS);
        all("a|ab|abc", "abc", 0);
        all("(a|b)*c", "ababc", 0);
        all("\\Qa.b\\E+", "a.bb axb", 0);
        all("(?i:x)Y", "xY XY xy", 0);
        System.out.println("2024-01-15".replaceAll("(\\d+)-(\\d+)-(\\d+)", "$3.$2.$1") + " " + "a.b".replaceAll("\\.", Matcher.quoteReplacement("$\\")));
        System.out.println(Pattern.compile("(?<w>\\w+)").matcher("one two").replaceAll(r -> r.group(1).toUpperCase() + r.start()));
        Matcher m = Pattern.compile("\\d").matcher("a1b2c3");
        StringBuilder sb = new StringBuilder();
        while (m.find()) m.appendReplacement(sb, "<" + m.group() + ">");
        m.appendTail(sb);
        System.out.println(sb);
        System.out.println(Arrays.toString(Pattern.compile("\\s*,\\s*").split("a , b,c ,  d")) + Pattern.compile(",").splitAsStream("x,y").toList());
        m = Pattern.compile("(?<year>\\d{4})").matcher("in 1999");
        System.out.println(m.find() + m.group("year") + m.start("year") + m.toMatchResult().groupCount() + m.hitEnd());
        m.reset("no").region(0, 1);
        System.out.println(m.find() + " " + m.lookingAt() + " " + m.matches() + " " + m.pattern());
        System.out.println(Pattern.matches("[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?", "-1.5e10") + " " + Pattern.compile("a").asPredicate().test("cat") + Pattern.compile("a").asMatchPredicate().test("cat"));
        for (String bad : new String[] {"(", "*a", "a{2,1}", "[z-a]", "\\", "(?<n>a)(?<n>b)", "(?<=a*)b", "\\k<x>", "x{99999999999}"}) {
            try {
                Pattern.compile(bad);
                System.out.println("ok " + bad);
            } catch (PatternSyntaxException e) {
                System.out.println(e.getMessage().replace("\n", "|") + " " + e.getIndex());
            }
        }
        System.out.println("aaaaaaaaaaaaaaaaaaaa!".matches("(a|aa)+"));
        System.out.println(Pattern.compile("(x+x+)+y").matcher("x".repeat(16)).find());
    }
}
