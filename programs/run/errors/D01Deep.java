import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Recursion without end through the library, and stacks of other sizes than usual. */
public class D01Deep {
    static int deep(int n) {
        return n == 0 ? 0 : 1 + deep(n - 1);
    }

    static void overflows(String what, Runnable body) {
        for (int i = 0; i < 3; i++) {
            try {
                body.run();
                System.out.println(what + " ended");
            } catch (StackOverflowError e) {
                System.out.println(what + ": " + e.getMessage() + ", " + (e.getStackTrace().length > 100));
            }
        }
    }

    static void inThread(String name, long stack, Runnable body) throws InterruptedException {
        Thread t = new Thread(null, body, name, stack);
        t.start();
        t.join();
    }

    static synchronized void locked() {
        locked();
    }

    static int tried;

    static void withFinally() {
        try {
            withFinally();
        } finally {
            tried++;
        }
    }

    public static void main(String[] args) throws Exception {
        Object[] self = {null};
        self[0] = self;
        overflows("an array of itself", () -> Arrays.deepHashCode(self));
        List<Object> list = new ArrayList<>();
        list.add(list);
        overflows("a list of itself", list::hashCode);
        Map<Object, Object> map = new HashMap<>();
        map.put("k", map);
        overflows("a map of itself", map::hashCode);
        overflows("a lock", D01Deep::locked);
        System.out.println(Thread.holdsLock(D01Deep.class));
        overflows("finally", D01Deep::withFinally);
        System.out.println(tried > 1000);
        overflows("a pattern", () -> java.util.regex.Pattern.compile("(a|b)*c").matcher("ab".repeat(100_000)).matches());
        overflows("a stream", () -> {
            java.util.stream.Stream<Integer> s = java.util.stream.Stream.of(1);
            for (int i = 0; i < 50_000; i++) {
                s = s.map(x -> x + 1);
            }
            s.forEach(x -> {});
        });
        inThread("small", 1 << 18, () -> overflows("small", () -> deep(10_000_000)));
        inThread("big", 1L << 29, () -> System.out.println(deep(400_000)));
        inThread("none", 0, () -> overflows("none", () -> deep(10_000_000)));
        List<Thread> many = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(null, () -> deep(50_000), "t" + i, 1L << (26 + i % 2));
            many.add(t);
            t.start();
        }
        for (Thread t : many) {
            t.join();
        }
        System.out.println(deep(3000));
    }
}
