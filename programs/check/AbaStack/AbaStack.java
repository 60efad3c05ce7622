import java.util.concurrent.atomic.AtomicReference;

/**
 * A lock-free stack that reuses its nodes.
 *
 * Breaks when: slow reads top = A and next = B; fast pops A, pops B and pushes A back; the
 * compareAndSet of slow finds A again and makes B the top, which fast still owns.
 */
public class AbaStack {
    static class Node {
        final String name;
        volatile Node next;

        Node(String name, Node next) {
            this.name = name;
            this.next = next;
        }
    }

    static final AtomicReference<Node> top = new AtomicReference<>();

    static Node pop() {
        while (true) {
            Node seen = top.get();
            if (seen == null) {
                return null;
            }
            Node next = seen.next;
            if (top.compareAndSet(seen, next)) {
                return seen;
            }
        }
    }

    static void push(Node node) {
        Node seen;
        do {
            seen = top.get();
            node.next = seen;
        } while (!top.compareAndSet(seen, node));
    }

    public static void main(String[] args) throws InterruptedException {
        top.set(new Node("A", new Node("B", null)));
        Node[] owned = new Node[1];
        Thread slow = new Thread(AbaStack::pop, "slow");
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
        Node left = top.get();
        assert left == null || left != owned[0] : "node is owned and on the stack"; //~ assertion
    }
}
