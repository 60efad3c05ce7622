import java.util.concurrent.atomic.AtomicStampedReference;

/**
 * The stack that reuses its nodes, with a stamp on its top.
 *
 * Correct: the stamp changes with every pop and push, so a top that went away and came back is
 * noticed.
 */
public class AbaStackStamped {
    static class Node {
        final String name;
        volatile Node next;

        Node(String name, Node next) {
            this.name = name;
            this.next = next;
        }
    }

    static final AtomicStampedReference<Node> top = new AtomicStampedReference<>(
            new Node("A", new Node("B", null)), 0);

    static Node pop() {
        int[] stamp = new int[1];
        while (true) {
            Node seen = top.get(stamp);
            if (seen == null) {
                return null;
            }
            Node next = seen.next;
            if (top.compareAndSet(seen, next, stamp[0], stamp[0] + 1)) {
                return seen;
            }
        }
    }

    static void push(Node node) {
        int[] stamp = new int[1];
        Node seen;
        do {
            seen = top.get(stamp);
            node.next = seen;
        } while (!top.compareAndSet(seen, node, stamp[0], stamp[0] + 1));
    }

    public static void main(String[] args) throws InterruptedException {
        Node[] owned = new Node[1];
        Thread slow = new Thread(AbaStackStamped::pop, "slow");
        Thread fast = new Thread(() -> {
            Node first = pop();
            owned[0] = pop();
            if (first != null) {
                push(first);
            }
        }, "fast");
        slow.start();
        fast.start();
        slow.join();
        fast.join();
        Node left = top.getReference();
        assert left == null || left != owned[0] : "node is owned and on the stack";
    }
}
