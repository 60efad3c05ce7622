/** The helpful messages of NullPointerException. */
public class A02NullPointers {
    int field;
    A02NullPointers next;
    int[] numbers;
    Object[][] table;
    static A02NullPointers root;
    static int[] array;
    String text() { return null; }
    static A02NullPointers find(int n, String s) { return null; }

    interface Body { Object run() throws Throwable; }

    static void attempt(Body body) {
        try {
            System.out.println("value " + body.run());
        } catch (Throwable t) {
            System.out.println(t.getClass().getName() + ": " + t.getMessage());
        }
    }

    static Object locals(A02NullPointers parameter, int[] items, long filler, String last) {
        A02NullPointers local = parameter;
        attempt(() -> 0);
        try { return local.field; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { return parameter.next; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { return items[3]; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { return last.length(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        return null;
    }

    public static void main(String[] args) {
        attempt(() -> root.field);
        attempt(() -> root.field = 3);
        attempt(() -> root.next.next);
        attempt(() -> root.text());
        attempt(() -> array[0]);
        attempt(() -> array[0] = 1);
        attempt(() -> array.length);
        attempt(() -> find(1, "x").field);
        attempt(() -> find(1, "x").text().length());
        root = new A02NullPointers();
        attempt(() -> root.next.field);
        attempt(() -> root.next.next.next.field);
        attempt(() -> root.numbers[5]);
        attempt(() -> root.table[1][2]);
        root.table = new Object[3][];
        attempt(() -> root.table[1][2]);
        int i = 2;
        attempt(() -> root.table[i][i + 1]);
        root.table[1] = new Object[4];
        attempt(() -> root.table[1][2].toString());
        attempt(() -> root.text().length());
        attempt(() -> { synchronized (root.next) { return 0; } });
        attempt(() -> { throw (RuntimeException) null; });
        attempt(() -> { int x = (Integer) null; return x; });
        attempt(() -> { for (String s : (String[]) null) return s; return 0; });
        attempt(() -> ((java.util.List<?>) null).size());
        attempt(() -> ((String) null).length());
        attempt(() -> java.util.Objects.requireNonNull(null));
        attempt(() -> java.util.Objects.requireNonNull(null, "named"));
        attempt(() -> { throw new NullPointerException(); });
        attempt(() -> { throw new NullPointerException("own text"); });
        locals(null, null, 0, null);
    }
}
