public class Consumer extends Thread {
    @Override
    public void run() {
        int i;
        while (true) {
            if (Buffer.notEmpty()) {
                i = Buffer.get();
            }
        }
    }
}
