import java.util.*;

/** Unmodifiable, synchronized and checked views; fail-fast iterators; equality across kinds; spliterators. */
public class B02Views {
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        List<Integer> base = new ArrayList<>(List.of(1, 2, 3));
        List<Integer> view = Collections.unmodifiableList(base);
        base.add(4);
        System.out.println(view);
        Runnable[] bad = {() -> view.add(1), () -> view.iterator().remove(), () -> Collections.emptyMap().put(null, null), () -> List.copyOf(base).set(0, 1), () -> Set.of(1).remove(1), () -> Map.of(1, 2).clear(),
            () -> ((List) Collections.checkedList(base, Integer.class)).add("x"), () -> Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))).entrySet().iterator().next().setValue(3),
            () -> { for (int i : base) if (i == 2) base.add(9); }, () -> { Iterator<Integer> it = base.iterator(); it.remove(); }, () -> new ArrayList<>().listIterator().previous(),
            () -> { Map<Integer, Integer> m = new HashMap<>(Map.of(1, 1, 2, 2)); for (int k : m.keySet()) m.put(k + 100, 1); }, () -> { List<Integer> s = base.subList(0, 1); base.add(5); s.size(); },
            () -> new TreeSet<Object>().add(new Object()), () -> Collections.singleton(1).add(2), () -> List.of().contains(null), () -> new ArrayDeque<>().addFirst(null), () -> { Map<Integer, Integer> m = new HashMap<>(); m.computeIfAbsent(1, k -> { m.put(2, 2); return 1; }); }};
        for (Runnable r : bad) {
            try {
                r.run();
                System.out.println("fine");
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
        System.out.println(new ArrayList<>(List.of(1)).equals(new LinkedList<>(List.of(1))) + " " + new TreeSet<>(Set.of(1, 2)).equals(new HashSet<>(Set.of(2, 1))) + " " + List.of(1).equals(Set.of(1)) + " " + new TreeMap<>(Map.of(1, 2)).equals(Map.of(1, 2)) + Map.entry(1, 2).equals(new AbstractMap.SimpleEntry<>(1, 2)));
        Spliterator<Integer> s = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7)).spliterator();
        Spliterator<Integer> front = s.trySplit();
        StringBuilder b = new StringBuilder();
        front.forEachRemaining(x -> b.append(x).append('<'));
        s.tryAdvance(x -> b.append('|').append(x));
        System.out.println(b + " " + s.estimateSize() + s.hasCharacteristics(Spliterator.SIZED) + s.hasCharacteristics(Spliterator.SORTED));
        System.out.println(Collections.unmodifiableSet(new TreeSet<>(List.of(3, 1))) + "" + Collections.synchronizedList(base) + Collections.newSetFromMap(new LinkedHashMap<String, Boolean>()) + Collections.asLifoQueue(new ArrayDeque<>(List.of(1, 2))));
        Set<String> l = new LinkedHashSet<>(List.of("z", "a", "m"));
        l.add("a");
        l.remove("z");
        l.add("z");
        System.out.println(l + " " + l.hashCode());
        Enumeration<Integer> e = Collections.enumeration(base);
        int n = 0;
        while (e.hasMoreElements()) n += e.nextElement();
        System.out.println(n + " " + Collections.list(new StringTokenizer("a b,c", " ,")));
        Iterator<Integer> gen = new Iterator<>() { int i; public boolean hasNext() { return i < 3; } public Integer next() { return i++; } };
        Iterable<Integer> once = () -> gen;
        for (int i : once) System.out.print(i);
        System.out.println();
        List<List<Integer>> nested = new ArrayList<>();
        nested.add(new ArrayList<>(List.of(1)));
        List<List<Integer>> shallow = new ArrayList<>(nested);
        shallow.get(0).add(2);
        System.out.println(nested);
        List<Object> self = new ArrayList<>();
        self.add(self);
        self.add(Map.of());
        System.out.println(self);
    }
}
