/** Hooks run after main, also on exit and after an uncaught exception; a second exit is not needed. */
public class B01Hooks {
    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread other = new Thread(() -> { try { main.join(); } catch (InterruptedException e) { } System.out.println("other ends"); });
        other.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("hook, other alive " + other.isAlive());
            try {
                Runtime.getRuntime().addShutdownHook(new Thread());
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }));
        try {
            Runtime.getRuntime().addShutdownHook(Thread.currentThread());
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        throw new RuntimeException("main dies");
    }
}
