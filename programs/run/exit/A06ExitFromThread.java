public class A06ExitFromThread {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            System.out.println("leaving");
            System.exit(7);
        });
        t.start();
        Thread.sleep(1_000_000);
        System.out.println("never");
    }
}
