public class Producer extends Thread {
    @Override
    public void run() {
        while (true) {
            if (Buffer.notFull()) {
                Buffer.put(0);
            }
        }
    }
}
