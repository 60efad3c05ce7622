/** Long arithmetic and comparison. */
public class A04LongArithmetic {
    public static void main(String[] args) {
        long[] values = {0, 1, -1, 3, -3, 63, 64, 1L << 31, 1L << 32, -(1L << 32), 0x123456789abcdefL,
            Long.MAX_VALUE, Long.MIN_VALUE};
        long sum = 1;
        int compared = 0;
        for (long a : values) {
            for (long b : values) {
                sum = sum * 31 + (a + b);
                sum = sum * 31 + (a - b);
                sum = sum * 31 + a * b;
                if (b != 0) {
                    sum = sum * 31 + a / b;
                    sum = sum * 31 + a % b;
                }
                sum ^= (a & b) + (a | b) * 3 + (a ^ b) * 5 + -a + ~b;
                if (a < b) compared += 1;
                if (a <= b) compared += 10;
                if (a == b) compared += 100;
                if (a != b) compared += 1000;
                if (a > b) compared += 10000;
                if (a >= b) compared += 100000;
            }
            System.out.println(sum + " " + compared);
        }
        System.out.println(Long.MIN_VALUE / -1);
        System.out.println(Long.MIN_VALUE % -1);
        System.out.println(Long.MAX_VALUE + 1);
    }
}
