/** Math functions that may be computed natively; compared after rounding to 12 digits. */
public class A02Transcendental {
    static String r(double d) {
        return Double.isNaN(d) || Double.isInfinite(d) || d == 0 ? "" + d : new java.math.BigDecimal(d).round(new java.math.MathContext(12)).toString();
    }

    public static void main(String[] args) {
        for (double x = -3; x <= 3; x += 0.375) {
            System.out.println(x + " " + r(Math.sin(x)) + " " + r(Math.cos(x)) + " " + r(Math.tan(x)) + " " + r(Math.exp(x)) + " " + r(Math.log(x)) + " " + r(Math.log10(x)) + " " + r(Math.pow(x, 3)) + " " + r(Math.pow(1.5, x)) + " " + r(Math.cbrt(x)) + " " + r(Math.atan2(x, -1)));
        }
        System.out.println(Math.pow(2, 10) + " " + Math.pow(-8, 1.0 / 3) + " " + Math.pow(0, 0) + " " + Math.exp(0) + " " + Math.log(1) + " " + Math.sin(0) + " " + Math.pow(Double.NaN, 0) + " " + Math.pow(1, Double.POSITIVE_INFINITY) + " " + Math.sqrt(-1) + " " + Math.cbrt(27));
        System.out.println(r(Math.sin(1e15)) + " " + r(Math.cos(1e22)) + " " + r(Math.tan(1e6)) + " " + r(Math.sin(Double.MAX_VALUE)));
    }
}
