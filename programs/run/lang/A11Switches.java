/** tableswitch and lookupswitch, fall-through, new-style switches. */
public class A11Switches {
    static int dense(int i) {
        switch (i) {
            case 0: return 10;
            case 1: return 11;
            case 2:
            case 3: i += 100;
            case 4: i += 1000; break;
            case 6: return -1;
            default: return 99;
        }
        return i;
    }

    static int sparse(int i) {
        switch (i) {
            case Integer.MIN_VALUE: return 1;
            case -1000: return 2;
            case 0: return 3;
            case 100000: return 4;
            case Integer.MAX_VALUE: return 5;
        }
        return 0;
    }

    static String arrow(char c) {
        return switch (c) {
            case 'a', 'e', 'i', 'o', 'u' -> "vowel";
            case 'y' -> {
                String s = "some";
                yield s + "times";
            }
            default -> Character.isLetter(c) ? "consonant" : "other";
        };
    }

    static int edge(int i) {
        return switch (i) {
            case Integer.MAX_VALUE -> 1;
            case Integer.MAX_VALUE - 1 -> 2;
            case Integer.MAX_VALUE - 2 -> 3;
            default -> 4;
        };
    }

    public static void main(String[] args) {
        for (int i = -2; i < 9; i++) System.out.print(dense(i) + " ");
        System.out.println();
        for (int i : new int[] {Integer.MIN_VALUE, -1000, -999, 0, 1, 100000, Integer.MAX_VALUE}) {
            System.out.print(sparse(i) + " ");
        }
        System.out.println();
        for (char c : "aybz7u".toCharArray()) System.out.print(arrow(c) + " ");
        System.out.println();
        System.out.println(edge(Integer.MAX_VALUE) + " " + edge(Integer.MAX_VALUE - 1) + " " + edge(Integer.MIN_VALUE)
                + " " + edge(Integer.MAX_VALUE - 2) + " " + edge(0));
        byte b = 3;
        switch (b) {
            case 3: System.out.println("three");
            case 4: System.out.println("falls");
        }
    }
}
