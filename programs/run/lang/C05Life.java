import java.util.*;

/** The game of life on a torus, with patterns, hashing of generations and cycle detection. */
public class C05Life {
    boolean[][] grid;
    C05Life(int n, String... pattern) {
        grid = new boolean[n][n];
        for (int r = 0; r < pattern.length; r++) for (int c = 0; c < pattern[r].length(); c++) grid[r + 2][c + 2] = pattern[r].charAt(c) == '#';
    }
    void step() {
        int n = grid.length;
        boolean[][] next = new boolean[n][n];
        for (int r = 0; r < n; r++) for (int c = 0; c < n; c++) {
            int around = 0;
            for (int dr = -1; dr <= 1; dr++) for (int dc = -1; dc <= 1; dc++) if ((dr | dc) != 0 && grid[(r + dr + n) % n][(c + dc + n) % n]) around++;
            next[r][c] = around == 3 || around == 2 && grid[r][c];
        }
        grid = next;
    }
    long population() { long p = 0; for (boolean[] row : grid) for (boolean b : row) if (b) p++; return p; }
    @Override public int hashCode() { return Arrays.deepHashCode(grid); }
    @Override public boolean equals(Object o) { return o instanceof C05Life l && Arrays.deepEquals(grid, l.grid); }
    C05Life copy() { C05Life l = new C05Life(0); l.grid = Arrays.stream(grid).map(boolean[]::clone).toArray(boolean[][]::new); return l; }
    @Override public String toString() {
        StringBuilder b = new StringBuilder();
        for (boolean[] row : grid) { for (boolean x : row) b.append(x ? '#' : '.'); b.append('\n'); }
        return b.toString();
    }

    public static void main(String[] args) {
        Map<String, C05Life> patterns = new LinkedHashMap<>();
        patterns.put("glider", new C05Life(8, ".#.", "..#", "###"));
        patterns.put("blinker", new C05Life(7, "###"));
        patterns.put("block", new C05Life(6, "##", "##"));
        patterns.put("pulsar piece", new C05Life(12, "..###", "#....#", "#....#", "..###"));
        patterns.put("r-pentomino", new C05Life(16, ".##", "##.", ".#."));
        patterns.forEach((name, life) -> {
            Map<C05Life, Integer> seen = new HashMap<>();
            int generation = 0;
            while (generation < 150 && seen.putIfAbsent(life.copy(), generation) == null) { life.step(); generation++; }
            System.out.println(name + " " + generation + " back to " + seen.get(life) + " population " + life.population());
        });
        C05Life g = new C05Life(8, ".#.", "..#", "###");
        for (int i = 0; i < 5; i++) g.step();
        System.out.print(g);
    }
}
