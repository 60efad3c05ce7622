/**
 * Setters write a, then b; a checker expects both or none.
 *
 * Breaks when: the checker reads between the two writes of the first setter.
 */
public class Reorder {
    static volatile int a;
    static volatile int b;

    public static void main(String[] args) {
        int setters = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        for (int i = 0; i < setters; i++) {
            new Thread(() -> {
                a = 1;
                b = -1;
            }, "setter-" + i).start();
        }
        new Thread(() -> {
            int seenA = a;
            int seenB = b;
            assert seenA + seenB == 0 : "half set"; //~ assertion
        }, "checker").start();
    }
}
