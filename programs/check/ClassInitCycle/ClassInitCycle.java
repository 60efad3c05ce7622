/**
 * Two classes whose initializations need each other.
 *
 * Breaks when: each thread has begun to initialize one of them and needs the other.
 */
public class ClassInitCycle {
    static class Left {
        static final int value;

        static {
            value = 1 + Right.base(); //~ deadlock lock-cycle
        }

        static int base() {
            return 10;
        }
    }

    static class Right {
        static final int value;

        static {
            value = 2 + Left.base(); //~ deadlock lock-cycle
        }

        static int base() {
            return 20;
        }
    }

    public static void main(String[] args) {
        new Thread(() -> {
            assert Left.value == 21;
        }, "left").start();
        new Thread(() -> {
            assert Right.value == 12;
        }, "right").start();
    }
}
