import java.math.*;
import java.util.*;

/** BigInteger and BigDecimal. */
public class B01Big {
    public static void main(String[] args) {
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 200; i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f + " " + f.bitLength() + " " + f.hashCode());
        BigInteger a = new BigInteger("-123456789012345678901234567890"), b = new BigInteger("ffffffffffffffffffff", 16);
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b) + " " + a.mod(b) + " " + a.remainder(b) + " " + Arrays.toString(a.divideAndRemainder(b)) + a.negate() + a.signum() + a.abs());
        System.out.println(a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + a.not() + " " + a.shiftLeft(70) + " " + a.shiftRight(13) + " " + a.testBit(5) + a.bitCount() + " " + a.getLowestSetBit() + a.setBit(200).flipBit(3).clearBit(0));
        System.out.println(b.gcd(f) + " " + b.pow(7) + " " + b.modPow(BigInteger.valueOf(12345), BigInteger.valueOf(1_000_000_007)) + " " + BigInteger.valueOf(17).modInverse(BigInteger.valueOf(3120)) + " " + b.sqrt() + " " + b.isProbablePrime(20) + new BigInteger("170141183460469231731687303715884105727").isProbablePrime(20) + BigInteger.valueOf(100).nextProbablePrime());
        System.out.println(a.toString(36) + " " + Arrays.toString(a.toByteArray()) + " " + a.longValue() + a.intValue() + " " + a.doubleValue() + b.floatValue() + " " + a.compareTo(b) + a.max(b));
        BigInteger x = new BigInteger("3").pow(3000), y = new BigInteger("7").pow(2000);
        System.out.println(x.multiply(y).toString().hashCode() + " " + x.divide(y.shiftRight(2000)).toString().hashCode() + " " + x.multiply(x).subtract(x.pow(2)) + " " + x.mod(y.shiftRight(3000)).bitLength());
        try {
            b.longValueExact();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        BigDecimal d = new BigDecimal("123.4500"), e = new BigDecimal("-0.007");
        System.out.println(d.add(e) + " " + d.multiply(e) + " " + d.divide(e, 10, RoundingMode.HALF_UP) + " " + d.divide(e, MathContext.DECIMAL64) + " " + d.remainder(e) + " " + d.scale() + d.precision() + " " + d.stripTrailingZeros() + " " + d.negate().toPlainString() + " " + d.unscaledValue());
        for (RoundingMode m : RoundingMode.values()) {
            StringBuilder s = new StringBuilder(m + ":");
            for (String t : new String[] {"5.5", "2.5", "1.6", "1.1", "1.0", "-1.1", "-2.5", "-5.5"}) {
                try {
                    s.append(' ').append(new BigDecimal(t).setScale(0, m));
                } catch (ArithmeticException ex) {
                    s.append(' ').append(ex.getMessage());
                }
            }
            System.out.println(s);
        }
        System.out.println(new BigDecimal("1E+20") + " " + new BigDecimal("1E+20").toPlainString() + " " + new BigDecimal("0.00000001") + " " + new BigDecimal("123E5").toEngineeringString() + " " + new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal("2").equals(new BigDecimal("2.0")) + new BigDecimal("2").compareTo(new BigDecimal("2.0")) + " " + new BigDecimal("2").sqrt(new MathContext(50)));
        System.out.println(new BigDecimal("1234.5678").round(new MathContext(3)) + " " + d.movePointLeft(5) + d.movePointRight(3) + " " + d.pow(5) + " " + d.ulp() + " " + d.hashCode() + d.toBigInteger() + " " + d.doubleValue() + new BigDecimal("1e400").doubleValue() + " " + new BigDecimal("10").divide(new BigDecimal("4")));
        BigDecimal pi = BigDecimal.ZERO;
        for (int k = 0; k < 30; k++) {
            BigDecimal k8 = BigDecimal.valueOf(8L * k), sixteen = BigDecimal.valueOf(16).pow(k);
            MathContext mc = new MathContext(40);
            BigDecimal t = BigDecimal.valueOf(4).divide(k8.add(BigDecimal.ONE), mc).subtract(BigDecimal.valueOf(2).divide(k8.add(BigDecimal.valueOf(4)), mc)).subtract(BigDecimal.ONE.divide(k8.add(BigDecimal.valueOf(5)), mc)).subtract(BigDecimal.ONE.divide(k8.add(BigDecimal.valueOf(6)), mc));
            pi = pi.add(t.divide(sixteen, mc));
        }
        System.out.println(pi.round(new MathContext(35)));
    }
}
