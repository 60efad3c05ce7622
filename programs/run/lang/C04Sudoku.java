import java.util.*;

/** A Sudoku solver with bit masks and backtracking; N queens; knights: recursion and arrays. */
public class C04Sudoku {
    final int[] cells = new int[81], rows = new int[9], cols = new int[9], boxes = new int[9];
    int guesses;

    C04Sudoku(String s) {
        for (int i = 0; i < 81; i++) if (s.charAt(i) != '.') place(i, s.charAt(i) - '1');
    }
    void place(int i, int d) {
        int bit = 1 << d;
        if (((rows[i / 9] | cols[i % 9] | boxes[i / 27 * 3 + i % 9 / 3]) & bit) != 0) throw new IllegalArgumentException("conflict at " + i);
        cells[i] = d + 1;
        rows[i / 9] |= bit;
        cols[i % 9] |= bit;
        boxes[i / 27 * 3 + i % 9 / 3] |= bit;
    }
    void remove(int i) {
        int bit = ~(1 << (cells[i] - 1));
        cells[i] = 0;
        rows[i / 9] &= bit;
        cols[i % 9] &= bit;
        boxes[i / 27 * 3 + i % 9 / 3] &= bit;
    }
    boolean solve() {
        int best = -1, options = 0, fewest = 10;
        for (int i = 0; i < 81; i++) {
            if (cells[i] != 0) continue;
            int free = ~(rows[i / 9] | cols[i % 9] | boxes[i / 27 * 3 + i % 9 / 3]) & 0x1ff;
            int n = Integer.bitCount(free);
            if (n < fewest) { fewest = n; best = i; options = free; }
        }
        if (best < 0) return true;
        while (options != 0) {
            int d = Integer.numberOfTrailingZeros(options);
            options &= options - 1;
            guesses++;
            place(best, d);
            if (solve()) return true;
            remove(best);
        }
        return false;
    }
    @Override public String toString() {
        StringBuilder b = new StringBuilder();
        for (int c : cells) b.append(c == 0 ? "." : c);
        return b.toString();
    }

    static int queens(int n, int row, int cols, int left, int right) {
        if (row == n) return 1;
        int count = 0;
        for (int free = ~(cols | left | right) & ((1 << n) - 1); free != 0; free &= free - 1) {
            int bit = free & -free;
            count += queens(n, row + 1, cols | bit, (left | bit) << 1, (right | bit) >>> 1);
        }
        return count;
    }
    static void hanoi(int n, char a, char b, char c, StringBuilder out) {
        if (n == 0) return;
        hanoi(n - 1, a, c, b, out);
        out.append(a).append(b);
        hanoi(n - 1, c, b, a, out);
    }
    static void permutations(String prefix, String rest, List<String> out) {
        if (rest.isEmpty()) out.add(prefix);
        for (int i = 0; i < rest.length(); i++) permutations(prefix + rest.charAt(i), rest.substring(0, i) + rest.substring(i + 1), out);
    }

    public static void main(String[] args) {
        for (String s : new String[] {"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......", "11" + ".".repeat(79)}) {
            try {
                C04Sudoku p = new C04Sudoku(s);
                System.out.println(p.solve() + " " + p + " " + p.guesses);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        for (int n = 1; n <= 8; n++) System.out.print(queens(n, 0, 0, 0, 0) + " ");
        System.out.println();
        StringBuilder h = new StringBuilder();
        hanoi(8, 'a', 'b', 'c', h);
        System.out.println(h.length() / 2 + " " + h.toString().hashCode());
        List<String> ps = new ArrayList<>();
        permutations("", "abcde", ps);
        System.out.println(ps.size() + " " + ps.get(77) + ps.hashCode());
    }
}
