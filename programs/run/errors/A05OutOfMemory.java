/** Arrays too large give OutOfMemoryError, which can be caught. */
public class A05OutOfMemory {
    public static void main(String[] args) {
        try {
            long[] huge = new long[Integer.MAX_VALUE];
            System.out.println(huge.length);
        } catch (OutOfMemoryError e) {
            System.out.println("1 " + e.getMessage());
        }
        try {
            byte[] huge = new byte[Integer.MAX_VALUE];
            System.out.println(huge.length);
        } catch (OutOfMemoryError e) {
            System.out.println("2 " + e.getMessage());
        }
        try {
            Object[][] huge = new Object[Integer.MAX_VALUE][];
            System.out.println(huge.length);
        } catch (OutOfMemoryError e) {
            System.out.println("3 " + e.getMessage());
        }
        System.out.println(new int[1000].length);
    }
}
