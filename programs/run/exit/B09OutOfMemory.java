/** An uncaught OutOfMemoryError. */
public class B09OutOfMemory {
    public static void main(String[] args) {
        System.out.println("before");
        long[][] all = new long[Integer.MAX_VALUE][];
        System.out.println(all.length);
    }
}
