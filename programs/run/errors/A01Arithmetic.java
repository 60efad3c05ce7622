/** Exceptions the VM throws for arithmetic and arrays, with their messages. */
public class A01Arithmetic {
    static int zero = 0;
    static long zeroLong = 0;

    interface Body { Object run() throws Throwable; }

    static void attempt(Body body) {
        try {
            Object value = body.run();
            System.out.println("value " + (value.getClass().isArray() ? value.getClass().getName() : value));
        } catch (Throwable t) {
            System.out.println(t.getClass().getName() + ": " + t.getMessage());
        }
    }

    public static void main(String[] args) {
        attempt(() -> 1 / zero);
        attempt(() -> 1 % zero);
        attempt(() -> 1L / zeroLong);
        attempt(() -> 1L % zeroLong);
        attempt(() -> 1.0 / zero);
        attempt(() -> 1.0 % zero);
        attempt(() -> new int[3][0].length + new int[3][-1 + zero].length);
        attempt(() -> new int[-1 + zero]);
        attempt(() -> new String[Integer.MIN_VALUE + zero]);
        attempt(() -> new long[2][3][-5 + zero]);
        attempt(() -> new int[2][3]);
        attempt(() -> new int[5][zero + 5]);
        int[] a = new int[3];
        attempt(() -> a[3]);
        attempt(() -> a[-1]);
        attempt(() -> a[Integer.MIN_VALUE]);
        attempt(() -> a[7] = 1);
        attempt(() -> new byte[0][zero]);
        attempt(() -> new Object[1][zero + 1]);
        attempt(() -> new double[2][0][zero]);
        attempt(() -> { Object[] s = new String[1]; s[0] = 5; return s; });
        attempt(() -> { Object[] s = new Integer[1][]; s[0] = new int[0]; return s; });
        attempt(() -> (Integer) (Object) "x");
        attempt(() -> (String[]) (Object) new int[0]);
        attempt(() -> (Runnable) (Object) "x");
        attempt(() -> (int[][]) (Object) new String[0][0]);
        attempt(() -> { System.arraycopy(a, 0, a, 1, 3); return 0; });
        attempt(() -> { System.arraycopy(a, -1, a, 1, 3); return 0; });
        attempt(() -> { System.arraycopy(a, 0, new long[3], 0, 1); return 0; });
        attempt(() -> { System.arraycopy("x", 0, a, 0, 1); return 0; });
        attempt(() -> { System.arraycopy(new Object[] {"a", 1}, 0, new String[2], 0, 2); return 0; });
        attempt(() -> { System.arraycopy(a, 0, a, 0, -1); return 0; });
        attempt(() -> { System.arraycopy(null, 0, a, 0, 1); return 0; });
    }
}
