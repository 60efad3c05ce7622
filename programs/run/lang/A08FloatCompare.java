/** All comparisons of floats and doubles, in both senses, with NaN. */
public class A08FloatCompare {
    static String compare(double a, double b) {
        String s = "";
        if (a < b) s += "<";
        if (a <= b) s += "(<=)";
        if (a == b) s += "=";
        if (a != b) s += "!";
        if (a >= b) s += "(>=)";
        if (a > b) s += ">";
        if (!(a < b)) s += "n<";
        if (!(a > b)) s += "n>";
        if (!(a <= b)) s += "n<=";
        if (!(a >= b)) s += "n>=";
        return s;
    }

    static String compare(float a, float b) {
        String s = "";
        if (a < b) s += "<";
        if (a <= b) s += "(<=)";
        if (a == b) s += "=";
        if (a != b) s += "!";
        if (a >= b) s += "(>=)";
        if (a > b) s += ">";
        boolean less = a < b, more = a > b;
        return s + less + more;
    }

    public static void main(String[] args) {
        double[] v = {0.0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double a : v) {
            for (double b : v) {
                System.out.println(a + " " + b + " " + compare(a, b) + " " + compare((float) a, (float) b) + " "
                        + Double.compare(a, b) + " " + Float.compare((float) a, (float) b));
            }
        }
    }
}
