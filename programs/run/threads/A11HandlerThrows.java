public class A11HandlerThrows {
    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            throw new IllegalStateException("expected");
        }, "worker");
        worker.setUncaughtExceptionHandler((thread, e) -> {
            System.out.println(thread.getName() + ": " + e);
            throw new IllegalArgumentException("nobody sees this");
        });
        worker.start();
        worker.join();
        System.out.println("on");
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {
            System.out.println(thread.getName() + ": " + e);
            throw new Error("nor this");
        });
        throw new RuntimeException("the last");
    }
}
