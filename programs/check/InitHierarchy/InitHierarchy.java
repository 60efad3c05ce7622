/**
 * Breaks: main begins with Base, whose initializer needs Derived; other begins with Derived, which
 * waits for its superclass Base, while main waits for Derived.
 */
public class InitHierarchy {
    static class Base {
        static final Base first = new Derived();
    }

    static class Derived extends Base {
        static int made;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> Derived.made++, "other");
        other.start();
        Object one = Base.first;
        other.join();
    }
}
