package heddle.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Steers by messages (jreplay, section 6): every thread has commands of its own and runs beside the
 * others, for real; it waits only where it is to receive something. Waits of the program are the JVM's.
 */
final class Messenger implements Steering {
    private enum Verb {
        EVENT,
        SEND,
        RECEIVE,
        DIE,
        NOTIFY,
        TERMINATE,
        LOG
    }

    private static final class Order {
        final int line;
        final Verb verb;
        /** The place of an event. */
        Place place;
        boolean in;
        long count;
        /** The other thread; the level of a message to people. */
        int number;
        long message;
        String text;

        Order(int line, Verb verb) {
            this.line = line;
            this.verb = verb;
        }
    }

    /** One thread's commands and how far it is with them. */
    private static final class Sequence {
        final int thread;
        final List<Order> orders = new ArrayList<Order>();
        /** Only the thread itself moves it. */
        private volatile int at;
        /** How often the thread came to the awaited place since its last event. */
        long seen;
        /** It was blocked in a bytecode and goes on with its commands behind it. */
        boolean behind;
        /** Whom the notifications that it is about to make wake. */
        final ArrayDeque<Integer> targets = new ArrayDeque<Integer>();
        /** What it waits to receive, or null. */
        volatile Order receives;
        /** Messages that have come: sender and number. */
        final List<long[]> mail = new ArrayList<long[]>();

        Sequence(int thread) {
            this.thread = thread;
        }

        Order next() {
            return at < orders.size() ? orders.get(at) : null;
        }

        /** The next command, which is behind it now. */
        Order passed() {
            Order order = next();
            at++;
            return order;
        }
    }

    private final String file;
    private final Map<Integer, Sequence> sequences = new HashMap<Integer, Sequence>();
    private volatile boolean over;

    /**
     * Reads the commands from the first `schedulebegin` on, which is the present line; throws
     * IllegalArgumentException with file and line.
     */
    Messenger(String file, Lines lines, Places places) {
        this.file = file;
        Sequence open = null;
        do {
            try {
                open = line(lines.number(), lines.line(), places, open);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(file + ":" + lines.number() + ": " + e.getMessage());
            } catch (IndexOutOfBoundsException e) {
                throw new IllegalArgumentException(
                        file + ":" + lines.number() + ": something is missing at the end of the line");
            }
        } while (lines.next());
    }

    private Sequence line(int number, String text, Places places, Sequence open) {
        List<String> words = Words.split(text);
        if (words.isEmpty()) {
            return open;
        }
        String keyword = words.get(0);
        if (keyword.equals("schedulebegin")) {
            Sequence sequence = new Sequence(Integer.parseInt(words.get(1)));
            sequences.put(sequence.thread, sequence);
            return sequence;
        }
        if (open == null) {
            throw new IllegalArgumentException("expected schedulebegin, found `" + keyword + "`");
        }
        Order order;
        switch (keyword) {
            case "scheduleend":
                return null;
            case "before":
            case "in":
                order = new Order(number, Verb.EVENT);
                order.place = places.find(words.get(1), words.get(2), Integer.parseInt(words.get(3)));
                order.count = Long.parseLong(words.get(4));
                order.in = keyword.equals("in");
                break;
            case "send":
            case "receive":
            case "die":
                order = new Order(number, Verb.valueOf(keyword.toUpperCase(java.util.Locale.ROOT)));
                order.number = Integer.parseInt(words.get(1));
                order.message = Long.parseLong(words.get(2));
                break;
            case "terminate":
                order = new Order(number, Verb.TERMINATE);
                break;
            case "log":
                order = new Order(number, Verb.LOG);
                order.number = Integer.parseInt(words.get(1));
                order.text = text.trim().replaceFirst("log\\s+\\S+\\s*", "");
                break;
            case "notify":
                order = new Order(number, Verb.NOTIFY);
                order.number = Integer.parseInt(words.get(1));
                break;
            case "timeout":
            case "spurious":
                // Waits are the JVM's own here.
                return open;
            default:
                throw new IllegalArgumentException("unknown command `" + keyword + "`");
        }
        open.orders.add(order);
        return open;
    }

    /** A thread begins. */
    void begin(Strand strand) {
        Sequence sequence = sequences.get(strand.number);
        if (sequence != null) {
            run(sequence);
        }
    }

    @Override
    public void came(Strand strand, int place) {
        Sequence sequence = sequences.get(strand.number);
        Order order = sequence == null || over ? null : sequence.next();
        if (order == null || order.verb != Verb.EVENT || order.place.number != place) {
            return;
        }
        strand.stands = place;
        if (++sequence.seen < order.count) {
            return;
        }
        sequence.passed();
        sequence.targets.clear();
        if (order.in) {
            // It cannot send when it is blocked. Whoever gets the message now finds its monitor taken
            // until it really waits.
            while (sequence.next() != null && sequence.next().verb == Verb.SEND) {
                send(sequence, sequence.passed());
            }
            sequence.behind = true;
        } else {
            run(sequence);
        }
        // The place where it stands counts as the first time.
        sequence.seen = 1;
        Order next = sequence.next();
        if (next == null || next.verb != Verb.EVENT || next.place.number != place) {
            sequence.seen = 0;
        } else if (next.count == 1 && !order.in) {
            sequence.seen = 0;
            came(strand, place);
        }
    }

    /** A thread has executed a bytecode that may have blocked. */
    void returned(Strand strand) {
        Sequence sequence = sequences.get(strand.number);
        if (sequence != null && sequence.behind) {
            sequence.behind = false;
            run(sequence);
        }
    }

    /** Does the commands up to the next event. */
    private void run(Sequence sequence) {
        while (!over) {
            Order order = sequence.next();
            if (order == null || order.verb == Verb.EVENT) {
                return;
            }
            switch (order.verb) {
                case RECEIVE:
                    receive(sequence, order);
                    break;
                case NOTIFY:
                    sequence.targets.add(order.number);
                    break;
                case TERMINATE:
                    terminate();
                    break;
                case LOG:
                    if (order.number <= Session.VERBOSITY) {
                        Verdict.say(order.text);
                    }
                    break;
                default:
                    // Whoever gets the message may end the program at once, and this was the last command.
                    send(sequence, sequence.passed());
                    Engine.turns++;
                    continue;
            }
            sequence.passed();
            Engine.turns++;
        }
    }

    private void send(Sequence from, Order order) {
        Sequence to = sequences.get(order.number);
        if (to == null) {
            return;
        }
        synchronized (to) {
            // Whether the sender must be gone first.
            to.mail.add(new long[] {from.thread, order.message, order.verb == Verb.DIE ? 1 : 0});
            to.notifyAll();
        }
    }

    private void receive(Sequence sequence, Order order) {
        boolean interrupted = false;
        long[] letter = null;
        sequence.receives = order;
        synchronized (sequence) {
            while (letter == null && !over) {
                letter = take(sequence, order);
                if (letter == null) {
                    try {
                        sequence.wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            }
        }
        sequence.receives = null;
        Strand sender = Engine.number(order.number);
        while (letter != null && letter[2] != 0 && sender != null && sender.thread.isAlive()) {
            Thread.yield();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static long[] take(Sequence sequence, Order order) {
        long[] letter = find(sequence, order);
        if (letter != null) {
            sequence.mail.remove(letter);
        }
        return letter;
    }

    private static long[] find(Sequence sequence, Order order) {
        for (long[] letter : sequence.mail) {
            if (letter[0] == order.number && letter[1] == order.message) {
                return letter;
            }
        }
        return null;
    }

    /**
     * A wait of the program is over for the JVM. A thread that has to receive something before it goes
     * on must not keep others from what it would take now, the monitor of its `wait`: it stays there,
     * and looks for its message from time to time. Without a monitor nobody minds.
     */
    void untilAddressed(Strand strand, Object monitor) {
        Sequence sequence = sequences.get(strand.number);
        if (sequence == null || !sequence.behind) {
            return;
        }
        boolean interrupted = false;
        strand.polls = true;
        while (lacks(sequence)) {
            try {
                if (monitor != null) {
                    monitor.wait(1);
                } else {
                    synchronized (sequence) {
                        sequence.wait(1);
                    }
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        strand.polls = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether a thread is to receive what has not come yet. */
    private boolean lacks(Sequence sequence) {
        Order order = sequence.next();
        if (over || order == null || order.verb != Verb.RECEIVE) {
            return false;
        }
        sequence.receives = order;
        synchronized (sequence) {
            return find(sequence, order) == null;
        }
    }

    private void terminate() {
        over = true;
        for (Sequence sequence : sequences.values()) {
            synchronized (sequence) {
                sequence.notifyAll();
            }
        }
    }

    /** Whether every thread has done its commands, or waits for what never comes. */
    @Override
    public boolean over() {
        for (Sequence sequence : sequences.values()) {
            if (!over(sequence)) {
                return false;
            }
        }
        return true;
    }

    /** Others may not have noticed yet that they are done: they run on while this one does. */
    @Override
    public boolean over(Strand strand) {
        Sequence sequence = sequences.get(strand.number);
        return sequence == null || over(sequence);
    }

    private boolean over(Sequence sequence) {
        Order next = sequence.next();
        return over || next == null || next.verb == Verb.RECEIVE && next.number == sequence.thread;
    }

    @Override
    public String expects() {
        for (Sequence sequence : sequences.values()) {
            Order order = sequence.receives != null ? sequence.receives : sequence.next();
            if (order != null) {
                String who = file + ":" + order.line + ": expected thread " + sequence.thread;
                if (order.verb == Verb.EVENT) {
                    return who + " to come to " + order.place;
                }
                return who + " to receive " + order.message + " from thread " + order.number;
            }
        }
        return null;
    }

    // --- What has no meaning here: threads are not under control ---

    @Override
    public void blocked(Strand strand) {}

    @Override
    public Strand notified(Strand strand, Strand[] waiting) {
        Sequence sequence = sequences.get(strand.number);
        Integer target = sequence == null ? null : sequence.targets.poll();
        for (Strand one : waiting) {
            if (target != null && one.number == target) {
                return one;
            }
        }
        return waiting[0];
    }

    @Override
    public void ended(Strand strand) {}

    @Override
    public long done() {
        return Engine.turns;
    }
}
