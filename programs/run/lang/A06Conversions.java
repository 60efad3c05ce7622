/** Widening and narrowing between all primitive types. */
public class A06Conversions {
    public static void main(String[] args) {
        double[] doubles = {0.0, -0.0, 1.5, -1.5, 127.9, 128.0, 255.5, 65535.9, 65536.0, 1e9, 3e9, -3e9, 1e18,
            1e19, -1e19, 1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
            Double.MIN_VALUE, Integer.MAX_VALUE + 0.5, Long.MAX_VALUE};
        for (double d : doubles) {
            float f = (float) d;
            System.out.println(d + ": " + (int) d + " " + (long) d + " " + f + " " + (byte) d + " " + (short) d
                    + " " + (int) (char) d + " " + (int) f + " " + (long) f);
        }
        long[] longs = {0, -1, 255, 256, 65535, 1L << 31, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long l : longs) {
            System.out.println(l + ": " + (int) l + " " + (short) l + " " + (byte) l + " " + (int) (char) l + " "
                    + (float) l + " " + (double) l + " " + (float) (int) l + " " + (double) (int) l);
        }
        System.out.println((int) 'x' + " " + (char) 121 + " " + (byte) 'é' + " " + (short) '\uffff');
        System.out.println(16777217 == (float) 16777217);
        System.out.println((float) 0.1 == 0.1);
        System.out.println((double) 0.1f);
    }
}
