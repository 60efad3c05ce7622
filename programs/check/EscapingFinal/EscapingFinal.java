/**
 * A constructor starts a thread that uses the object; a final field is set behind that.
 *
 * Breaks when: the thread reads the field before the constructor has set it.
 */
public class EscapingFinal {
    abstract static class Service {
        Service() {
            new Thread(this::loop, "worker").start();
        }

        abstract void loop();
    }

    static class Named extends Service {
        private final String name;

        Named(String name) {
            this.name = name; //~ race
        }

        @Override
        void loop() {
            if (name.isEmpty()) { //~ race exception
                throw new IllegalStateException("no name");
            }
        }
    }

    public static void main(String[] args) {
        new Named("printer");
    }
}
