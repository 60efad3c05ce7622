/** An uncaught StackOverflowError. */
public class B08StackOverflow {
    static int f(int n) {
        return f(n + 1) + 1;
    }

    public static void main(String[] args) {
        System.out.println("down");
        f(0);
    }
}
