import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

/** Every static method t…() returns a long; main prints them all. */
public class Cases {
    static int counter;
    static long total;
    static double ratio = 0.5;
    int field = 3;
    long wide = 1L << 40;
    byte small = -7;
    char letter = 'x';
    boolean flag;
    double real = 2.5;
    float single = 1.25f;
    Cases next;

    static int side(int x) { counter = counter * 31 + x; return x; }
    static long sideL(long x) { total = total * 31 + x; return x; }
    static boolean isOdd(int x) { return (x & 1) == 1; }
    static boolean less(double a, double b) { return a < b; }
    static byte toByte(int x) { return (byte) x; }
    static char toChar(int x) { return (char) x; }
    static short toShort(int x) { return (short) x; }
    static long mix(int a, long b, double c, int d) { return a * 1000000L + b * 1000 + (long) c * 10 + d; }

    static long tLoops() {
        long sum = 0;
        for (int i = 0; i < 100; i++) sum += i * i;
        for (int i = 50; i >= 0; i--) sum ^= i;
        int n = 37;
        for (int i = 0; i < n; i++) { if (i % 3 == 0) continue; sum += i; if (sum > 100000) break; }
        int j = 0;
        while (j <= n) { sum += j; j += 2; }
        do { sum -= j; } while (--j > 5);
        do { sum += j; } while (++j < n);
        for (int i = 0; n > i; i++) sum = sum * 3 + i;
        return sum;
    }

    static long tNestedLoops() {
        int count = 0;
        outer:
        for (int i = 2; i < 200; i++) {
            for (int j = 2; j * j <= i; j++) if (i % j == 0) continue outer;
            count++;
        }
        return count;
    }

    static long tArrayLoops() {
        int[] a = new int[50];
        for (int i = 0; i < a.length; i++) a[i] = i * 7 % 13;
        for (int i = 1; i < a.length; i++) {
            int key = a[i], j = i - 1;
            while (j >= 0 && a[j] > key) { a[j + 1] = a[j]; j--; }
            a[j + 1] = key;
        }
        long h = 0;
        for (int x : a) h = h * 31 + x;
        long[] l = {1, 2, 3};
        double[] d = {0.5, 1.5};
        byte[] b = {1, -2, 127};
        char[] c = {'a', '\uffff'};
        short[] s = {-1, 300};
        float[] f = {1.5f};
        boolean[] z = {true, false};
        h += l[1]++ + ++l[2] + l[1];
        d[0] += 2; d[1] *= d[0]--;
        h += (long) (d[0] * 100 + d[1] * 1000);
        b[1] -= 120; b[2]++; c[1]++; s[0] >>>= 3; f[0] /= 3;
        h = h * 31 + b[1] + b[2] + c[0] + c[1] + s[0] + s[1] + (int) (f[0] * 1000) + (z[0] ? 1 : 0) + (z[1] ? 2 : 0);
        return h;
    }

    static long tDupTricks() {
        int[] a = {5, 6, 7, 8, 9};
        int i = 0, b = 3;
        a[i++] += b;
        a[i++] += a[i++] * a[i];
        a[++i] = a[i] = i--;
        int x = a[i--]++ + --a[i] * i++;
        i = i++ + ++i;
        int p, q, r;
        p = q = r = x + i;
        long l, m;
        l = m = (long) p * q;
        double d, e;
        d = e = l / 3.0;
        long h = 0;
        for (int v : a) h = h * 31 + v;
        return h + x * 1000L + i + p + q + r + l + m + (long) (d + e);
    }

    static long tFields() {
        Cases c = new Cases();
        c.next = new Cases();
        long h = c.field++ + ++c.field * 10 + c.wide--;
        h += c.next.wide++ + (c.next.field += 5) + c.small-- + --c.small + c.letter++ + ++c.letter;
        c.flag = c.real < c.next.real++;
        c.real = c.next.real = c.single *= 3;
        h = h * 31 + (c.flag ? 1 : 0) + (long) (c.real * 8) + (long) (c.next.real * 16) + c.field + c.wide + c.small + c.letter;
        c.next.next = c;
        h = h * 31 + c.next.next.next.field;
        counter = 1; total = 2; ratio = 4;
        h += counter++ + ++total + (long) (ratio /= 8) + (long) (ratio * 100);
        return h * 31 + counter * 7 + total;
    }

    static int pick(boolean b, int x, int y) { return b ? x : y; }

    static long tTernaries() {
        long h = 0;
        for (int i = 0; i < 20; i++) {
            h = h * 7 + side(i % 3 == 0 ? i : i % 5 == 0 ? -i : 2 * i) + (i > 10 ? 5 : i);
            h += mix(i, i > 3 ? 1L : h & 15, i < 7 ? 1.5 : i, isOdd(i) ? i : -i);
            h += i + (i * 2 + (isOdd(i) ? pick(i > 5, i, 9) : i - 1)) * (i != 4 ? 3 : 2);
            boolean b = i < 5 || (i > 7 && i != 12) ^ isOdd(i);
            h += b ? 1 : 0;
            int k = i;
            h += k + (k > 3 ? k = 2 : k++) + k;
            h += k - (k = k * 2 + 1) - k;
        }
        return h;
    }

    static long tSwitch() {
        long h = 0;
        for (int i = -3; i < 12; i++) {
            switch (i) {
                case 0: h += 1;
                case 1: h += 10; break;
                case 2: case 3: h *= 3; break;
                case 5: h -= 7; break;
                default: h ^= i;
            }
            switch (i * 1000) {
                case -2000: h += 5; break;
                case 0: h += 6; break;
                case 7000: h += 7; break;
                case 11000: h *= 5;
            }
            h = h * 31 + switch (i) { case 1, 2 -> i * 2; case Integer.MAX_VALUE -> 3; case -1 -> { int z = i; yield z + side(4); } default -> 0; };
            switch (i) { default: }
            h += i + switch (i & 3) { case 0 -> 1L; case 1 -> h; default -> h * 3; };
        }
        return h;
    }

    static long tArithmetic() {
        long h = 0;
        int[] ints = {0, 1, -1, 7, -7, 31, 33, 127, 128, 255, 256, 32767, 32768, 65535, 65536, -32768, -32769, Integer.MAX_VALUE, Integer.MIN_VALUE, 123456789};
        for (int a : ints) {
            h = h * 31 + (a + 5) + (5 + a) + (a - 5) + (5 - a) + (a * 7) + (7 * a) + (a / 7) + (a % 7) + (a / -1) + (a % -1);
            h = h * 31 + (a + 32767) + (a - 32768) + (a - -32768) + (a - 32769) + (a - 40000) + (a & 255) + (a & 65535) + (255 & a) + (65535 & a) + (a | 8) + (a ^ -1) + (a & -256);
            h = h * 31 + (a << 3) + (a >> 3) + (a >>> 3) + (a << 33) + (a >> -1) + (a >>> 31) + -a + ~a;
            h = h * 31 + (byte) a + (char) a + (short) a + toByte(a) + toChar(a) + toShort(a) + (isOdd(a) ? 1 : 0);
            for (int b : ints) {
                h = h * 31 + (a + b) + (a - b) + (a * b) + (a & b) + (a | b) + (a ^ b) + (a << b) + (a >> b) + (a >>> b);
                if (b != 0) h = h * 31 + a / b + a % b;
                h += (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0) + (a != b ? 32 : 0);
                h += (a < 7 ? 1 : 0) + (7 < a ? 2 : 0) + (a >= -7 ? 4 : 0) + (-7 >= a ? 8 : 0) + (7 == a ? 16 : 0) + (40000 > a ? 32 : 0) + (0 <= a ? 64 : 0) + (0 != a ? 128 : 0);
                long x = (long) a << 20 | b, y = (long) b * a;
                h = h * 31 + (x + y) + (x - y) + (x * y) + (x & y) + (x | y) + (x ^ y) + (x << b) + (x >> a) + (x >>> b) + (x << 3) + (y >> 7) + (y >>> 65);
                if (y != 0) h = h * 31 + x / y + x % y;
                h = h * 31 + (x + 5) + (5 + x) + (x - 5) + (5 - x) + (x * 3) + (3 * x) + (x & 255) + (x | 255) + (x ^ 5) + (x & 0xFFFFFFFFL) + -x + ~x + (int) x;
                h += (x < y ? 1 : 0) + (x <= y ? 2 : 0) + (x > y ? 4 : 0) + (x >= y ? 8 : 0) + (x == y ? 16 : 0) + (x != y ? 32 : 0) + (x > 0 ? 64 : 0) + (5 > x ? 128 : 0);
                h += (x > y == a > b ? 1 : 0);
            }
        }
        return h;
    }

    static long tFloats() {
        long h = 0;
        double[] ds = {0, -0.0, 1, -1, 0.1, 1e300, -1e300, 1e-300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 12345.678};
        for (double a : ds)
            for (double b : ds) {
                h = h * 31 + bits(a + b) + bits(a - b) + bits(a * b) + bits(a / b) + bits(a % b) + bits(-a);
                h += (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0) + (a != b ? 32 : 0);
                h += (!(a < b) ? 1 : 0) + (!(a <= b) ? 2 : 0) + (!(a > b) ? 4 : 0) + (!(a >= b) ? 8 : 0) + (less(a, b) ? 16 : 0);
                float f = (float) a, g = (float) b;
                h += (f < g ? 1 : 0) + (f <= g ? 2 : 0) + (f > g ? 4 : 0) + (f >= g ? 8 : 0) + (f == g ? 16 : 0) + (f != g ? 32 : 0);
                h += (!(f < g) ? 1 : 0) + (!(f <= g) ? 2 : 0) + (!(f > g) ? 4 : 0) + (!(f >= g) ? 8 : 0);
                h = h * 31 + bits(f + g) + bits(f - g) + bits(f * g) + bits(f / g) + bits(f % g) + bits(-f);
                h = h * 31 + (int) a + (long) a + (int) f + (long) f + bits((double) f) + bits((float) a);
                h = h * 31 + bits((double) h) + bits((float) h) + bits((double) (int) h) + bits((float) (int) h);
                boolean lt = a < b, ge = f >= g;
                h += lt == ge ? 3 : 4;
            }
        double x = 0; int n = 0;
        while (x < 10) { x += 0.3; n++; }
        while (!(x < 1)) { x -= 0.7; n++; }
        for (float f = 0; f <= 3; f += 0.25f) n++;
        return h * 31 + n;
    }

    static long bits(double d) { return d != d ? 99 : (long) (d * 1024) ^ (1 / d < 0 ? 77 : 0); }
    static long bits(float d) { return d != d ? 99 : (long) (d * 1024) ^ (1 / d < 0 ? 77 : 0); }

    static int finish(int x) {
        try {
            if (x == 1) return side(1);
            if (x == 2) throw new IllegalStateException();
            if (x == 3) { int[] a = new int[1]; x = a[x]; }
            if (x == 4) { int[] a = null; x = a[0]; }
            return 10 / (x - 5);
        } catch (ArithmeticException e) {
            x = 50;
            return x;
        } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
            x += 100;
        } finally {
            x++;
            side(x);
        }
        return x;
    }

    static long tTryFinally() {
        long h = 0;
        for (int i = 0; i < 8; i++) {
            try {
                h = h * 31 + finish(i);
            } catch (RuntimeException e) {
                h += 1000;
            } finally {
                h++;
            }
            h = h * 31 + counter;
        }
        return h;
    }

    static long tLocalsInHandlers() {
        long h = 0;
        int[] a = {4, 0, 2, 0};
        for (int i = 0; i < 6; i++) {
            int x = 7, y = 8;
            try {
                x = a[i];
                y = 100 / x;
                x = x + y;
            } catch (ArithmeticException e) {
                h += x * 3 + y;
            } catch (RuntimeException e) {
                h += x * 5 + y * 7 + i;
            }
            h = h * 31 + x + y;
        }
        // The test of a loop that throws, inside and outside of the range.
        int i = 0;
        int[] b = a;
        try {
            for (; i < b.length; i++) { if (i == 2) b = null; h++; }
        } catch (NullPointerException e) {
            h = h * 31 + i;
        }
        i = 0; b = a;
        while (true) {
            try { for (; i < b.length; i++) if (i == 1) b = null; } catch (NullPointerException e) { h += i; break; }
        }
        int n = 3;
        for (i = 0; i < 12 / n; i++) { try { n--; h += 6 / n; } catch (ArithmeticException e) { h += n + i; n = 1; } }
        return h;
    }

    static synchronized int locked(int x) { return x > 3 ? x : -x; }

    static long tSynchronized() {
        Cases c = new Cases();
        long h = 0;
        for (int i = 0; i < 6; i++) {
            synchronized (c) { h = h * 31 + locked(i); if (i == 4) continue; h++; }
        }
        return h;
    }

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static long ack(long m, long n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }

    static long tCalls() {
        int a = 1; long b = 2; double c = 3;
        long h = mix(a, b, c, a++) + mix(a, sideL(b), c = 5, a = 7) + mix(side(1), sideL(2), side(3), side(4));
        h = h * 31 + fib(12) + ack(2, 3);
        h = a + (b + (a + mix(a++, b, a, a--))) * mix(1, 2, 3, (int) mix(4, 5, 6, 7) & 7);
        return h * 31 + new Cases().virtual(3, 4L) + counter + total;
    }

    long virtual(int x, long y) { return field * x + y + (x > 0 ? virtual(x - 1, y * wide) : 0); }

    static long tDigits() {
        long n = 27, steps = 0;
        while (n != 1) { n = (n & 1) == 0 ? n / 2 : 3 * n + 1; steps++; }
        long seed = 42;
        for (long i = 0; i < 100L; i++) { seed = (seed * 0x5DEECE66DL + 0xBL) & ((1L << 48) - 1); steps ^= seed >>> 16; }
        int x = 1;
        for (int i = 0; i < 100; i++) x = x * 1103515245 + 12345;
        return steps * 31 + x;
    }

    static long tMatrix() {
        int n = 6;
        long[][] m = new long[n][n];
        int[][][] cube = new int[2][3][];
        cube[1][2] = new int[]{9};
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = i * j + (i == j ? 1 : 0);
        long h = cube[1][2][0] + cube.length + cube[0].length;
        for (long[] row : m) for (long v : row) h = h * 31 + v;
        for (int i = 0; i < n; i++) { m[i][n - 1 - i] += m[i][i]--; h += m[i][n - 1 - i] * m[i][i]; }
        return h;
    }

    static long tObjects() {
        Object o = new Cases();
        Cases list = null;
        for (int i = 0; i < 5; i++) { Cases c = new Cases(); c.field = i; c.next = list; list = c; }
        long h = 0;
        for (Cases c = list; c != null; c = c.next) h = h * 31 + c.field;
        if (o instanceof Cases c && c.field == 3) h += c.wide;
        if (null == list.next.next.next.next.next) h++;
        if (list != list.next) h += 2;
        Cases x = (Cases) (list.field > 3 ? list : o);
        return h + x.field + (o == x ? 1 : 0) + (o instanceof Cases ? 5 : 6);
    }

    static boolean both(boolean a, boolean b) { return a && b; }
    static boolean not(boolean a) { return !a; }
    static boolean any(int a, int b, int c) { return a == b || b == c || a == c; }

    static long tBooleans() {
        long h = 0;
        for (int i = 0; i < 27; i++) {
            boolean r = any(i % 3, i / 3 % 3, i / 9);
            boolean s = both(r, not(isOdd(i)));
            boolean t = r & s | isOdd(i) ^ r;
            h = h * 2 + (s ? 1 : 0) + (t ? 1 : 0);
        }
        return h;
    }

    static int spin(int n) { do { n = n * 77777 ^ 0x12345; n += 100000; } while ((n & 0xF0F0F) != 0x10203 && n % 100003 != 7); return n; }

    static long tSieve() {
        boolean[] f = new boolean[500];
        int c = 0;
        for (int i = 2; i < 500; i++) if (!f[i]) { c++; for (int j = i + i; j < 500; j += i) f[j] = true; }
        return c;
    }

    static long tMandel() {
        long sum = 0;
        for (int p = 0; p < 20; p++)
            for (int q = 0; q < 20; q++) {
                double x = 0, y = 0, cr = p * 0.15 - 2.1, ci = q * 0.1 - 1.05;
                int i = 0;
                while (i < 50 && x * x + y * y < 4) { double t = x * x - y * y + cr; y = 2 * x * y + ci; x = t; i++; }
                sum = sum * 3 + i;
            }
        return sum;
    }

    static long tLoopConstants() {
        long h = 0;
        int[] a = new int[10];
        if (counter == 0) h = 5;
        for (int i = 0; i < 5; i++) { a[0] += 70000; a[1] -= a[0]; a[2] = 70000; a[3] |= 1 << i; h += a[1] * 70000L; }
        outer:
        for (int i = 0; i < 9; i++) {
            h += side(i);
            for (int j = 0; ; j++) {
                a[4] += 100000;
                if (j == 3) continue outer;
                if (a[4] % 300007 > 200000) { h += 3; break outer; }
                try { a[5] = 100001 / (j - 2); h ^= 0x7777777777L; } catch (ArithmeticException e) { a[6]++; h += 0x1234567890L; }
                switch (a[4] & 7) { case 0: a[7] = 9; continue; case 1: h += 0x1000000000L; break; default: a[8] = 40000; }
                if (j > 100) return 40000;
            }
        }
        for (int v : a) h = h * 31 + v;
        int k = 0;
        while (k < 100000) { k += k < 50000 ? 33333 : 44444; h = k > 60000 ? h * 3 : h + 99999; }
        float f = 1;
        double d = 1;
        long l = 1;
        for (int i = 0; i < 30; i++) { f = f * 1.25f + 3.5f; d = d / 1.1 - 0.3; l = l * 6364136223846793005L + 1442695040888963407L; if (f > 1000f) f = 0.5f; if (d < -2.0) d = 7.25; if (l == 12345678901L) l = 0; }
        h = h * 31 + (long) f + (long) (d * 1e6) + l + spin(3) + spin(1000);
        int n = 0;
        for (int i = 10; i > 0; i--) { for (int j = i; j >= 0; j--) n += 100000 - j; }
        for (int i = 1; i <= 10; i++) for (int j = 0; j <= i; j++) n ^= 77777 * j;
        for (int i = 1; i <= 200; i++) n += i;
        return h + n;
    }

    public static void main(String[] args) throws Exception {
        Method[] all = Cases.class.getDeclaredMethods();
        Arrays.sort(all, Comparator.comparing(Method::getName));
        for (Method m : all) {
            if (m.getName().charAt(0) == 't' && m.getParameterCount() == 0 && m.getReturnType() == long.class) {
                counter = 0; total = 0; ratio = 0.5;
                System.out.println(m.getName() + " " + m.invoke(null));
            }
        }
    }
}
