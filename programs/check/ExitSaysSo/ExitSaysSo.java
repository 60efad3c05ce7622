/**
 * Two threads increment a volatile counter; main says by the exit code whether the sum is right.
 *
 * Breaks when both read before one of them writes: the program ends with 1.
 */
public class ExitSaysSo {
    static volatile int sum;

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(() -> sum++, "one");
        Thread two = new Thread(() -> sum++, "two");
        one.start();
        two.start();
        one.join();
        two.join();
        if (sum != 2) {
            System.out.println("the sum is " + sum);
            System.exit(1); //~ exit-code
        }
    }
}
