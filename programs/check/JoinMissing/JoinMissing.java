/**
 * Reads the sum after one join too few.
 *
 * Breaks when: the second worker has not written its part yet.
 */
public class JoinMissing {
    static final int[] parts = new int[2];

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> parts[0] = 1, "a");
        Thread b = new Thread(() -> parts[1] = 2, "b"); //~ race
        a.start();
        b.start();
        a.join();
        int sum = parts[0] + parts[1]; //~ race
        assert sum == 3 : "a part is missing"; //~ assertion
    }
}
