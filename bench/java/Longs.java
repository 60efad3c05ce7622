/** Long arithmetic: generators, a block cipher, modular exponentiation. */
public class Longs {
    static long power(long base, long exponent, long modulus) {
        long r = 1;
        base %= modulus;
        while (exponent > 0) {
            if ((exponent & 1) == 1) r = r * base % modulus;
            base = base * base % modulus;
            exponent >>= 1;
        }
        return r;
    }

    static long encrypt(long block, int[] key) {
        int l = (int) (block >>> 32), r = (int) block, sum = 0;
        for (int i = 0; i < 32; i++) {
            sum += 0x9e3779b9;
            l += ((r << 4) + key[0]) ^ (r + sum) ^ ((r >>> 5) + key[1]);
            r += ((l << 4) + key[2]) ^ (l + sum) ^ ((l >>> 5) + key[3]);
        }
        return (long) l << 32 | r & 0xffffffffL;
    }

    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 1100;
        long x = 88172645463325252L, lcg = 1, check = 0;
        int[] key = {1, 2, 3, 4};
        for (int r = 0; r < scale; r++) {
            for (int i = 0; i < 5_000; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
                lcg = lcg * 6364136223846793005L + 1442695040888963407L;
                check += (x & lcg) ^ Long.rotateLeft(check, 5);
            }
            for (int i = 0; i < 300; i++) check ^= encrypt(x + i, key);
            for (int i = 0; i < 200; i++) check += power(x >>> 33, lcg >>> 40, 1_000_000_007L);
        }
        System.out.println(check);
    }
}
