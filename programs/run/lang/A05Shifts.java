/** Shifts: the count is taken modulo the width. */
public class A05Shifts {
    public static void main(String[] args) {
        int[] counts = {0, 1, 5, 31, 32, 33, 63, 64, 65, -1, -32, 1000};
        int[] ints = {1, -1, 0x12345678, Integer.MIN_VALUE};
        long[] longs = {1, -1, 0x123456789abcdef0L, Long.MIN_VALUE};
        for (int c : counts) {
            StringBuilder line = new StringBuilder("by " + c + ":");
            for (int v : ints) {
                line.append(' ').append(v << c).append(' ').append(v >> c).append(' ').append(v >>> c);
            }
            for (long v : longs) {
                line.append(' ').append(v << c).append(' ').append(v >> c).append(' ').append(v >>> c);
            }
            System.out.println(line);
        }
        byte b = (byte) 0x80;
        System.out.println(b >> 1);
        System.out.println(b >>> 1);
        b >>>= 1;
        System.out.println(b);
        int i = 1;
        i <<= 33L;
        System.out.println(i);
    }
}
