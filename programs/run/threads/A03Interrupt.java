public class A03Interrupt {
    public static void main(String[] args) throws Exception {
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
                System.out.println("never");
            } catch (InterruptedException e) {
                System.out.println(e + " " + Thread.currentThread().isInterrupted());
            }
        });
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
        Thread.currentThread().interrupt();
        System.out.println(Thread.currentThread().isInterrupted());
        System.out.println(Thread.interrupted());
        System.out.println(Thread.interrupted());
        Thread.currentThread().interrupt();
        try {
            synchronized (sleeper) {
                sleeper.wait();
            }
        } catch (InterruptedException e) {
            System.out.println("wait " + e.getMessage());
        }
        Thread.currentThread().interrupt();
        try {
            sleeper.join();
            System.out.println("a dead thread is joined at once");
        } catch (InterruptedException e) {
            System.out.println("join " + e.getMessage());
        }
        System.out.println(Thread.interrupted());
    }
}
