/** Names, ids, priorities, groups, toString, daemon inheritance. */
public class A06Names {
    public static void main(String[] args) throws Exception {
        Thread m = Thread.currentThread();
        System.out.println(m + " " + m.getName() + m.getPriority() + m.isDaemon() + m.getThreadGroup().getName() + m.getThreadGroup().getParent().getName() + m.getId());
        Thread a = new Thread(), b = new Thread();
        System.out.println(a.getName().startsWith("Thread-") + " " + (Integer.parseInt(b.getName().substring(7)) - Integer.parseInt(a.getName().substring(7))) + (b.getId() > a.getId()));
        ThreadGroup g = new ThreadGroup("group");
        g.setMaxPriority(4);
        Thread c = new Thread(g, () -> System.out.println(Thread.currentThread()), "in group");
        c.setPriority(9);
        System.out.println(c.getPriority() + " " + g.getMaxPriority() + g.activeCount() + g);
        c.start();
        c.join();
        System.out.println(c.getThreadGroup() + " " + c);
        Thread d = new Thread(() -> System.out.println(new Thread().isDaemon() + " " + new Thread().getPriority()));
        d.setDaemon(true);
        d.setPriority(Thread.MAX_PRIORITY);
        d.start();
        d.join();
        m.setName("renamed");
        System.out.println(Thread.currentThread().getName());
        try {
            new Thread((String) null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        class Own extends Thread { @Override public void run() { System.out.println("own run " + getClass().getSimpleName()); } }
        Own o = new Own();
        o.run();
        o.start();
        o.join();
        new Thread(null, null, "nothing to run").start();
        System.out.println(g.isDestroyed() + " " + g.parentOf(g));
    }
}
