/** Numbers to text and back. */
public class A03Numbers {
    public static void main(String[] args) {
        double[] doubles = {0, -0.0, 1, 0.1, 100, 1e7, 9999999, 1.0E-3, 9.99E-4, 123456789.125, 1e21, 1e-300, Double.MAX_VALUE,
            Double.MIN_VALUE, Double.MIN_NORMAL, 2.2250738585072011e-308, 4.35, 2.0E-3, 1.0E23, 2e23, 0.3, 1.0 / 3, 2 / 3.0, Math.E};
        for (double d : doubles) System.out.println(d + " " + (float) d + " " + Double.toHexString(d));
        System.out.println(Integer.toString(-255, 16) + " " + Integer.toHexString(-255) + " " + Integer.toBinaryString(10) + " "
                + Integer.toOctalString(-1) + " " + Long.toString(Long.MIN_VALUE, 36) + " " + Long.toHexString(-2L) + " "
                + Integer.toUnsignedString(-1) + " " + Long.toUnsignedString(-1));
        System.out.println(Integer.parseInt("-7f", 16) + " " + Long.parseLong("+123") + " " + Integer.decode("0x10") + " "
                + Integer.decode("-010") + " " + Short.parseShort("-32768") + " " + Byte.decode("#7f") + " "
                + Integer.parseUnsignedInt("4294967295") + " " + Integer.valueOf("77") + " " + Integer.parseInt("x123y", 1, 4, 10));
        String[] texts = {"1", " 1.5 ", "1e3", "-.5", "NaN", "-Infinity", "0x1.8p1", "1d", "1f", "4.9e-324", "1e400", "2.4703282292062328e-324"};
        for (String s : texts) System.out.println(Double.parseDouble(s) + " " + Float.parseFloat(s));
        for (String s : new String[] {"", "abc", "12345678901", "1.5", "-", "0x1", " 1", null}) {
            try {
                System.out.println(Integer.parseInt(s));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
            try {
                System.out.println(Double.parseDouble(s));
            } catch (NumberFormatException | NullPointerException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(Boolean.parseBoolean("TRUE") + " " + Boolean.parseBoolean("yes"));
        System.out.println(Integer.bitCount(255) + " " + Integer.reverse(1) + " " + Integer.highestOneBit(100) + " "
                + Long.numberOfTrailingZeros(64) + " " + Integer.rotateLeft(0x80000001, 4) + " " + Integer.reverseBytes(0x01020304)
                + " " + Integer.compareUnsigned(-1, 1) + " " + Integer.divideUnsigned(-1, 3) + " " + Long.remainderUnsigned(-1, 10)
                + " " + Integer.signum(-9) + " " + Long.numberOfLeadingZeros(1));
        System.out.println(Integer.valueOf(127) == Integer.valueOf(127));
        System.out.println(Integer.valueOf(1000).equals(1000) + " " + Long.valueOf(3).equals(3) + " " + Integer.hashCode(7) + " "
                + Long.hashCode(1L << 32) + " " + Double.hashCode(1.5) + " " + Boolean.hashCode(true) + " " + Float.hashCode(2f)
                + " " + Character.hashCode('a'));
    }
}
