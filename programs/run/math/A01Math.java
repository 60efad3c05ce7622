/** java.lang.Math and StrictMath: exact values at many points. */
public class A01Math {
    public static void main(String[] args) {
        double[] v = {0.0, -0.0, 0.5, 1, -1, 1.5, 2, Math.PI, -Math.PI / 3, 10, 100.25, 1e-10, 1e10, 1e300, -1e-300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double x : v) {
            System.out.println(x + ": " + Math.abs(x) + " " + Math.ceil(x) + " " + Math.floor(x) + " " + Math.rint(x) + " " + Math.round(x) + " " + Math.round((float) x) + " " + Math.signum(x) + " " + Math.sqrt(x) + " " + Math.ulp(x) + " " + Math.nextUp(x) + " " + Math.nextDown(x) + " " + Math.getExponent(x) + " " + Math.scalb(x, 3));
            System.out.println("  " + StrictMath.sin(x) + " " + StrictMath.cos(x) + " " + StrictMath.tan(x) + " " + StrictMath.asin(x) + " " + StrictMath.acos(x) + " " + StrictMath.atan(x) + " " + StrictMath.exp(x) + " " + StrictMath.log(x) + " " + StrictMath.log10(x) + " " + StrictMath.cbrt(x) + " " + StrictMath.sinh(x) + " " + StrictMath.cosh(x) + " " + StrictMath.tanh(x) + " " + StrictMath.expm1(x) + " " + StrictMath.log1p(x));
            System.out.println("  " + StrictMath.pow(x, 2) + " " + StrictMath.pow(2, x) + " " + StrictMath.pow(x, 0.5) + " " + StrictMath.atan2(x, 1.5) + " " + StrictMath.hypot(x, 3) + " " + StrictMath.IEEEremainder(x, 0.7) + " " + Math.min(x, 0.0) + " " + Math.max(x, -0.0) + " " + Math.copySign(3, x) + " " + Math.fma(x, 2, 1) + " " + Math.toDegrees(x) + " " + Math.toRadians(x));
        }
        System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 2) + " " + Math.floorMod(7, -3) + " " + Math.abs(Integer.MIN_VALUE) + " " + Math.max(-1L, 1L) + Math.min(0f, -0f) + " " + Math.multiplyHigh(1L << 62, 12) + " " + Math.multiplyFull(1 << 30, 1 << 30));
        System.out.println(Math.addExact(1, 2) + Math.negateExact(5L) + " " + Math.absExact(-5));
    }
}
