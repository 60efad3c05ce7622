import java.util.*;

/** ArrayList, LinkedList, Vector, Stack, Arrays.asList. */
public class A01Lists {
    static void exercise(List<String> l) {
        l.add("b");
        l.add(0, "a");
        l.addAll(List.of("d", "e", "f"));
        l.addAll(2, List.of("c"));
        System.out.println(l + " " + l.size() + l.indexOf("d") + l.lastIndexOf("z") + l.contains("e") + l.get(3));
        l.set(1, "B");
        l.remove(0);
        l.remove("e");
        System.out.println(l + " " + l.equals(List.of("B", "c", "d", "f")) + " " + l.hashCode());
        ListIterator<String> it = l.listIterator(2);
        System.out.println(it.previous() + it.nextIndex());
        it.set("C");
        it.add("x");
        while (it.hasNext()) if (it.next().equals("d")) it.remove();
        System.out.println(l);
        l.replaceAll(String::toUpperCase);
        l.removeIf(s -> s.equals("X"));
        l.sort(Comparator.reverseOrder());
        System.out.println(l + " " + l.subList(1, 3) + Arrays.toString(l.toArray(new String[5])));
        l.subList(0, 2).clear();
        System.out.println(l + " " + l.isEmpty() + l.retainAll(Set.of("B")) + l.containsAll(List.of("B")));
        l.clear();
        for (int i = 0; i < 100; i++) l.add("n" + i);
        long h = 0;
        for (String s : l) h = h * 31 + s.hashCode();
        System.out.println(h);
    }

    public static void main(String[] args) {
        exercise(new ArrayList<>());
        exercise(new LinkedList<>());
        exercise(new Vector<>());
        Stack<Integer> s = new Stack<>();
        s.push(1);
        s.push(2);
        System.out.println(s.peek() + s.pop() + " " + s.search(1) + s);
        List<Integer> fixed = Arrays.asList(3, 1, 2);
        Collections.sort(fixed);
        System.out.println(fixed + " " + Collections.binarySearch(fixed, 2) + Collections.max(fixed) + Collections.frequency(fixed, 3));
        LinkedList<Integer> d = new LinkedList<>(fixed);
        d.addFirst(0);
        d.offerLast(9);
        System.out.println(d.pollFirst() + " " + d.peekLast() + d.removeLastOccurrence(2) + d);
        List<Integer> nums = new ArrayList<>(List.of(1, 2, 3, 4, 5));
        Collections.rotate(nums, 2);
        System.out.print(nums);
        Collections.reverse(nums);
        Collections.swap(nums, 0, 4);
        System.out.print(nums);
        Collections.shuffle(nums, new Random(42));
        System.out.println(nums + " " + Collections.nCopies(3, "x") + Collections.emptyList() + Collections.singletonList(1));
        System.out.println(List.copyOf(nums).equals(nums) + " " + Collections.indexOfSubList(nums, nums.subList(2, 4)) + Collections.disjoint(nums, List.of(9)));
    }
}
