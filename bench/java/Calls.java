/** Calls: recursive Fibonacci and mutual recursion over static methods. */
public class Calls {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    static int tak(int x, int y, int z) {
        return y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
    }

    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 30;
        long sum = 0;
        for (int i = 0; i < scale; i++) {
            sum = sum * 31 + fib(27 + i % 2);
            for (int j = 0; j < 300; j++) {
                if (even(j * 3)) sum++;
            }
            sum += tak(12, 8, 4);
        }
        System.out.println(sum);
    }
}
