/** Deep recursion gives StackOverflowError, which can be caught, again and again. */
public class A04StackOverflow {
    static int depth;

    static void down() {
        depth++;
        down();
    }

    static int sum(int n, long a, double b, Object o) {
        depth++;
        return 1 + sum(n + 1, a * 2, b / 2, o);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            depth = 0;
            try {
                if (i == 1) sum(0, 1, 2, "x");
                else down();
            } catch (StackOverflowError e) {
                System.out.println("caught " + e.getMessage() + " " + (depth > 500) + " " + (e.getStackTrace().length > 100));
            }
        }
        System.out.println("still here");
    }
}
