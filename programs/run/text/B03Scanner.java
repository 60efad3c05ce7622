import java.util.*;

/** Scanner over standard input: tokens, lines, numbers, delimiters. */
public class B03Scanner {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        long sum = 0;
        for (int i = 0; i < n; i++) sum += in.nextLong();
        System.out.println(n + " " + sum);
        System.out.println("[" + in.nextLine() + "]");
        System.out.println("[" + in.nextLine() + "]");
        System.out.println(in.hasNextDouble() + " " + in.nextDouble() + " " + in.nextBoolean() + " " + in.next() + " " + in.hasNextInt());
        try {
            in.nextInt();
        } catch (InputMismatchException e) {
            System.out.println(e);
        }
        System.out.println(in.next() + in.nextBigInteger() + in.nextInt(16));
        in.nextLine();
        System.out.println(in.findInLine("(\\w+)=(\\d+)") + " " + in.match().group(2));
        in.nextLine();
        Map<String, Integer> words = new TreeMap<>();
        while (in.hasNext()) words.merge(in.next().toLowerCase().replaceAll("\\W", ""), 1, Integer::sum);
        System.out.println(words);
        try {
            in.next();
        } catch (NoSuchElementException e) {
            System.out.println(e);
        }
        Scanner csv = new Scanner("a;b; c ;;d").useDelimiter(";");
        while (csv.hasNext()) System.out.print("<" + csv.next() + ">");
        System.out.println();
        System.out.println(new Scanner("1 fish 2 fish").tokens().toList() + " " + new Scanner("a1b22").findAll("\\d+").map(r -> r.group()).toList());
    }
}
