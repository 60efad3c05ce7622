/** Much output on both streams, without a newline at the end. */
public class B13StderrAndStdout {
    public static void main(String[] args) {
        System.err.println("first line of stderr");
        for (int i = 0; i < 2000; i++) {
            System.out.print(i);
            System.out.print(i % 20 == 19 ? "\n" : " ");
            if (i % 500 == 0) System.err.println("err " + i);
        }
        System.out.print("no newline");
        System.exit(256 + 3);
    }
}
