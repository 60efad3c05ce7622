/**
 * A thread that starts when the object is complete.
 *
 * Correct: start() happens after the constructor and before run().
 */
public class EscapingNever {
    static class Greeter implements Runnable {
        private String greeting;

        Greeter(String greeting) {
            this.greeting = greeting;
        }

        @Override
        public void run() {
            String seen = greeting;
            assert seen != null : "not constructed yet";
        }
    }

    public static void main(String[] args) {
        new Thread(new Greeter("hello"), "service").start();
    }
}
