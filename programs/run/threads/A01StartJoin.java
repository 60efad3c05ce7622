public class A01StartJoin {
    static int counter;

    public static void main(String[] args) throws Exception {
        Thread[] all = new Thread[5];
        for (int i = 0; i < all.length; i++) {
            int n = i;
            all[i] = new Thread(() -> {
                synchronized (A01StartJoin.class) {
                    counter += n;
                }
            });
        }
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
        System.out.println(counter);
        for (Thread t : all) System.out.println(t.getState() + " " + t.isAlive());
        try {
            all[0].start();
        } catch (IllegalThreadStateException e) {
            System.out.println(e);
        }
    }
}
