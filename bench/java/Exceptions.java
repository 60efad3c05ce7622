/** Exceptions: thrown and caught across frames, with finally blocks and without stack traces. */
public class Exceptions {
    static final class Light extends RuntimeException {
        final int value;

        Light(int value) {
            super(null, null, false, false);
            this.value = value;
        }
    }

    static int cleanups;

    static int down(int depth, int v) {
        if (depth == 0) {
            if (v % 3 == 0) throw new IllegalStateException("full");
            throw new Light(v);
        }
        try {
            return down(depth - 1, v) + 1;
        } finally {
            cleanups++;
        }
    }

    static int attempt(int v) {
        try {
            return down(v % 8, v);
        } catch (Light l) {
            return l.value;
        } catch (IllegalStateException e) {
            return e.getMessage().length();
        }
    }

    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 500_000;
        long sum = 0;
        int[] small = new int[4];
        for (int i = 0; i < scale; i++) {
            sum += attempt(i);
            try {
                sum += small[i & 7];
            } catch (ArrayIndexOutOfBoundsException e) {
                sum += 5;
            }
        }
        System.out.println(sum + " " + cleanups);
    }
}
