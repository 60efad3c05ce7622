/**
 * A constructor that starts a thread too early.
 *
 * Breaks when: the thread runs before the constructor of the subclass has set the greeting.
 */
public class EscapingThis {
    abstract static class Service implements Runnable {
        Service() {
            new Thread(this, "service").start();
        }
    }

    static class Greeter extends Service {
        private String greeting;

        Greeter(String greeting) {
            this.greeting = greeting; //~ race
        }

        @Override
        public void run() {
            String seen = greeting; //~ race
            assert seen != null : "not constructed yet"; //~ assertion
        }
    }

    public static void main(String[] args) {
        new Greeter("hello");
    }
}
