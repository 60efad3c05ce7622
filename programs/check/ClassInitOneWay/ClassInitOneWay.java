/**
 * Two classes, one of which needs the other.
 *
 * Correct: Right needs nobody, so whoever initializes it finishes; the other thread waits for that.
 */
public class ClassInitOneWay {
    static class Left {
        static final int value;

        static {
            value = 1 + Right.base();
        }
    }

    static class Right {
        static final int value;

        static {
            value = Integer.parseInt("2");
        }

        static int base() {
            return value * 10;
        }
    }

    public static void main(String[] args) {
        new Thread(() -> {
            assert Left.value == 21;
        }, "left").start();
        new Thread(() -> {
            assert Right.value == 2;
        }, "right").start();
    }
}
