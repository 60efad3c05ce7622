/** Float and double arithmetic, remainder, NaN and signed zero. */
public class A07FloatArithmetic {
    public static void main(String[] args) {
        double[] v = {0.0, -0.0, 1, -1, 2.5, -2.5, 1e308, -1e308, 1e-308, Double.MIN_VALUE, Double.NaN,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Math.PI};
        long bits = 0;
        for (double a : v) {
            StringBuilder line = new StringBuilder();
            for (double b : v) {
                line.append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ')
                    .append(a / b).append(' ').append(a % b).append('|');
                bits = bits * 31 + Double.doubleToLongBits(a * b) + Double.doubleToLongBits(a % b);
                float x = (float) a, y = (float) b;
                bits = bits * 31 + Float.floatToIntBits(x + y) + Float.floatToIntBits(x * y)
                        + Float.floatToIntBits(x / y) + Float.floatToIntBits(x % y) + Float.floatToIntBits(x - y);
            }
            System.out.println(line);
            System.out.println(bits);
        }
        System.out.println(5.5 % -2.0);
        System.out.println(-5.5 % 2.0);
        System.out.println(0.1 + 0.2);
        System.out.println(0.1f + 0.2f);
        System.out.println(1.0f / 3);
        System.out.println(100.0 / 3);
        System.out.println(-0.0 == 0.0);
        System.out.println(1 / -0.0);
        System.out.println(-(0.0));
    }
}
