/** IDEA: each thread encrypts and decrypts its share of a text, in blocks of 8 bytes. */
public class GrandeCrypt {
    private static final int BYTES = 400_000;

    public static void main(String[] args) {
        int threads = Integer.parseInt(args[0]);
        int[] encrypt = encryptionKey();
        int[] decrypt = decryptionKey(encrypt);
        byte[] plain = new byte[BYTES];
        byte[] secret = new byte[BYTES];
        byte[] again = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            plain[i] = (byte) (i * 31 + (i >> 8));
        }
        int share = BYTES / 8 / threads * 8;
        Meeting.run(threads, number -> {
            int from = number * share;
            int to = number == threads - 1 ? BYTES : from + share;
            idea(plain, secret, encrypt, from, to);
            idea(secret, again, decrypt, from, to);
        });
        int hash = 0;
        for (int i = 0; i < BYTES; i++) {
            if (plain[i] != again[i]) {
                throw new AssertionError("byte " + i);
            }
            hash = hash * 31 + secret[i];
        }
        System.out.println(hash);
    }

    private static int[] encryptionKey() {
        int[] key = new int[52];
        for (int i = 0; i < 8; i++) {
            key[i] = (i * 7919 + 4711) & 0xffff;
        }
        // The key of 128 bits, turned left by 25 bits again and again.
        for (int i = 8; i < 52; i++) {
            int base = i / 8 * 8 - 8;
            int at = i % 8;
            key[i] = (key[base + (at + 1) % 8] << 9 | key[base + (at + 2) % 8] >> 7) & 0xffff;
        }
        return key;
    }

    private static int[] decryptionKey(int[] z) {
        int[] d = new int[52];
        for (int round = 0; round <= 8; round++) {
            int from = 48 - 6 * round;
            int to = 6 * round;
            boolean outer = round == 0 || round == 8;
            d[to] = inverse(z[from]);
            d[to + 1] = -z[outer ? from + 1 : from + 2] & 0xffff;
            d[to + 2] = -z[outer ? from + 2 : from + 1] & 0xffff;
            d[to + 3] = inverse(z[from + 3]);
            if (round < 8) {
                d[to + 4] = z[from - 2];
                d[to + 5] = z[from - 1];
            }
        }
        return d;
    }

    /** Of multiplication modulo 65537, where 0 stands for 65536. */
    private static int inverse(int x) {
        int result = 1;
        for (int bit = 0; bit < 16; bit++) {
            // x to the power of 65535: all sixteen bits are set.
            result = multiply(multiply(result, result), x);
        }
        return result;
    }

    private static int multiply(int a, int b) {
        if (a == 0) {
            return (65537 - b) & 0xffff;
        }
        if (b == 0) {
            return (65537 - a) & 0xffff;
        }
        int product = (int) ((a * (long) b) % 65537);
        return product & 0xffff;
    }

    private static void idea(byte[] from, byte[] to, int[] key, int begin, int end) {
        for (int i = begin; i < end; i += 8) {
            int x1 = (from[i] & 0xff) << 8 | from[i + 1] & 0xff;
            int x2 = (from[i + 2] & 0xff) << 8 | from[i + 3] & 0xff;
            int x3 = (from[i + 4] & 0xff) << 8 | from[i + 5] & 0xff;
            int x4 = (from[i + 6] & 0xff) << 8 | from[i + 7] & 0xff;
            int k = 0;
            for (int round = 0; round < 8; round++) {
                x1 = multiply(x1, key[k++]);
                x2 = x2 + key[k++] & 0xffff;
                x3 = x3 + key[k++] & 0xffff;
                x4 = multiply(x4, key[k++]);
                int t2 = multiply(x1 ^ x3, key[k++]);
                int t1 = multiply(t2 + (x2 ^ x4) & 0xffff, key[k++]);
                t2 = t1 + t2 & 0xffff;
                x1 ^= t1;
                x4 ^= t2;
                t2 ^= x2;
                x2 = x3 ^ t1;
                x3 = t2;
            }
            put(to, i, multiply(x1, key[k++]));
            put(to, i + 2, x3 + key[k++]);
            put(to, i + 4, x2 + key[k++]);
            put(to, i + 6, multiply(x4, key[k]));
        }
    }

    private static void put(byte[] to, int at, int word) {
        to[at] = (byte) (word >> 8);
        to[at + 1] = (byte) word;
    }
}
