/** Integer arithmetic: overflow, division, remainder, the edges. */
public class A03IntArithmetic {
    static int[] VALUES = {0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 1000, -1000, 0x55555555,
        Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 1, Integer.MIN_VALUE + 1};

    public static void main(String[] args) {
        int sum = 0;
        for (int a : VALUES) {
            for (int b : VALUES) {
                sum = sum * 31 + (a + b);
                sum = sum * 31 + (a - b);
                sum = sum * 31 + (a * b);
                if (b != 0) {
                    sum = sum * 31 + a / b;
                    sum = sum * 31 + a % b;
                }
                sum = sum * 31 + (a & b);
                sum = sum * 31 + (a | b);
                sum = sum * 31 + (a ^ b);
                sum = sum * 31 + (-a + ~b);
            }
            System.out.println(sum);
        }
        System.out.println(Integer.MIN_VALUE / -1);
        System.out.println(Integer.MIN_VALUE % -1);
        System.out.println(-7 / 2);
        System.out.println(-7 % 2);
        System.out.println(7 % -2);
        int i = 10;
        i += 200000;
        i++;
        i -= 3;
        i *= -5;
        i /= 3;
        i %= 1234;
        System.out.println(i);
        i += 3.7;
        System.out.println(i);
    }
}
