/** Text blocks and their escapes. */
public class B07TextBlocks {
    public static void main(String[] args) {
        String html = """
            <html>
              <body class="x">\tTab</body>
            </html>
            """;
        System.out.print(html);
        String joined = """
            one \
            two \
            three""";
        System.out.println(joined + "|");
        String spaces = """
            trailing  \s
            "quotes" and \"""triple\"""
              indented\
            """;
        System.out.println(spaces.replace(' ', '.'));
        System.out.println("""
            """.length());
        System.out.println("""
            a
           b
            """.equals(" a\nb\n "));
        System.out.println("""
            %s is %d
            """.formatted("x", 5).lines().count());
    }
}
