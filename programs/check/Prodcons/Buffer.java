public class Buffer {
    private static int buffer;
    private static int count;

    static boolean notFull() {
        return count < 1; //~ race
    }

    static boolean notEmpty() {
        return count > 0; //~ race
    }

    static void put(int i) {
        buffer = i; //~ race
        count++; //~ race
    }

    static int get() {
        if (!notEmpty()) {
            System.err.println("Error.");
            System.exit(1); //~ exit-code
        }
        count--; //~ race
        return buffer; //~ race
    }
}
