/** The helpful messages when the class file names its local variables. */
public class A03NullPointersWithNames {
    double[] values;
    A03NullPointersWithNames other;

    void instance() {
        try { System.out.println(this.other.values); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { values[2] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    }

    public static void main(String[] args) {
        String name = null;
        int[][] grid = new int[2][];
        int row = 1, column = 0;
        A03NullPointersWithNames thing = null;
        byte[] bytes = null; char[] chars = null; short[] shorts = null; long[] longs = null; boolean[] flags = null;
        float[] floats = null; double[] doubles = null; Object[] objects = null;
        Runnable[] tests = {
            () -> { },
        };
        try { name.length(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { grid[row][column]++; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { grid[row + column][column] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { thing.other = null; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { thing.instance(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { bytes[0] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { chars[0] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { shorts[0] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { longs[0] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { flags[0] = true; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { floats[0] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { doubles[0] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { objects[0] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { System.out.println(bytes[0]); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { System.out.println(longs[row]); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { System.out.println(flags.length); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { synchronized (objects) { } } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        new A03NullPointersWithNames().instance();
    }
}
