import java.util.*;
import java.util.concurrent.*;

/** The exceptions the library throws, with their messages. */
public class B03Mixed {
    interface Body { Object run() throws Throwable; }

    static void attempt(Body b) {
        try {
            System.out.println("value " + b.run());
        } catch (Throwable t) {
            System.out.println(t);
        }
    }

    enum E { A }

    public static void main(String[] args) {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        attempt(() -> list.get(3));
        attempt(() -> list.get(-1));
        attempt(() -> list.set(5, 1));
        attempt(() -> { list.add(7, 1); return 0; });
        attempt(() -> list.subList(2, 1));
        attempt(() -> List.of(1).get(1));
        attempt(() -> List.of(1, 2).add(3));
        attempt(() -> List.of(1, null));
        attempt(() -> Map.of("a", 1, "a", 2));
        attempt(() -> Set.of("a", "a"));
        attempt(() -> { for (Integer i : list) list.remove(i); return 0; });
        attempt(() -> new ArrayDeque<>().pop());
        attempt(() -> new ArrayDeque<>().add(null));
        attempt(() -> new LinkedList<>().getFirst());
        attempt(() -> new PriorityQueue<Object>(List.of(new Object(), new Object())).size());
        attempt(() -> new TreeMap<>().firstKey());
        attempt(() -> new TreeMap<String, Integer>().put(null, 1));
        attempt(() -> list.iterator().next() + new ArrayList<Integer>().iterator().next());
        attempt(() -> Optional.empty().get());
        attempt(() -> Optional.empty().orElseThrow());
        attempt(() -> Optional.of(null));
        attempt(() -> E.valueOf("B"));
        attempt(() -> Enum.valueOf(E.class, null));
        attempt(() -> new ArrayList<>(-1));
        attempt(() -> new HashMap<>(-1));
        attempt(() -> Collections.unmodifiableList(list).add(1));
        attempt(() -> Arrays.asList(1, 2).add(3));
        attempt(() -> Arrays.copyOf(new int[1], -1));
        attempt(() -> Arrays.copyOfRange(new int[1], 3, 1));
        attempt(() -> Math.addExact(Integer.MAX_VALUE, 1));
        attempt(() -> Math.toIntExact(1L << 40));
        attempt(() -> Math.multiplyExact(1L << 40, 1L << 40));
        attempt(() -> Objects.checkIndex(5, 3));
        attempt(() -> Objects.checkFromToIndex(2, 5, 3));
        attempt(() -> new Scanner("x").nextInt());
        attempt(() -> String.format("%d", "x"));
        attempt(() -> String.format("%q", 1));
        attempt(() -> String.format("%s %s", 1));
        attempt(() -> java.util.regex.Pattern.compile("a[b"));
        attempt(() -> java.time.LocalDate.of(2023, 2, 30));
        attempt(() -> java.time.LocalDate.parse("x"));
        attempt(() -> new java.math.BigDecimal(1).divide(new java.math.BigDecimal(3)));
        attempt(() -> java.math.BigInteger.ONE.divide(java.math.BigInteger.ZERO));
        attempt(() -> java.nio.ByteBuffer.allocate(2).getInt());
        attempt(() -> java.nio.ByteBuffer.allocate(2).asReadOnlyBuffer().put((byte) 1));
        attempt(() -> UUID.fromString("x"));
        attempt(() -> Base64.getDecoder().decode("a"));
        attempt(() -> java.nio.charset.Charset.forName("no such"));
        attempt(() -> Class.forName("no.Such"));
        attempt(() -> Locale.lookup(null, null));
        attempt(() -> new CompletableFuture<>().get(0, TimeUnit.SECONDS));
        attempt(() -> CompletableFuture.failedFuture(new Error("x")).join());
        attempt(() -> Executors.newFixedThreadPool(0));
        attempt(() -> List.of(3, 1).toArray(new String[0]));
        attempt(() -> Collections.max(new ArrayList<Integer>()));
        attempt(() -> "x".getClass().getDeclaredMethod("nothing", int.class));
        attempt(() -> java.util.stream.Stream.of(1).iterator().next() / java.util.stream.Stream.of(0).findFirst().get());
        attempt(() -> { var s = list.stream(); s.count(); return s.count(); });
    }
}
