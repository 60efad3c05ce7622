import java.io.InputStream;

/**
 * Synchronized methods that overwrite local 0, which a compiler never writes: they give back the
 * monitor they took, not that of what local 0 holds then.
 */
public class D01Receiver {
    public interface Body {
        void plain(Object other);

        long wide(int a, int b, Object other);

        void thrown(Object other);

        void deep(Object other, int depth);

        void waits(Object other) throws InterruptedException;
    }

    /** `hidden = other` becomes a store to local 0. */
    public static class Patched implements Body {
        public synchronized void plain(Object other) {
            Object hidden = other;
            D01Receiver.look("inside plain", other);
        }

        public synchronized long wide(int a, int b, Object other) {
            long hidden = 5L << 40;
            D01Receiver.look("inside wide", other);
            return 7;
        }

        public synchronized void thrown(Object other) {
            Object hidden = other;
            D01Receiver.fail(other);
        }

        public synchronized void deep(Object other, int depth) {
            D01Receiver.again(this, other, depth);
            Object hidden = other;
            D01Receiver.look("inside deep " + depth, other);
        }

        public synchronized void waits(Object other) throws InterruptedException {
            D01Receiver.other(this);
            wait();
            Object hidden = null;
        }
    }

    static Object self;

    public static void look(String where, Object other) {
        System.out.println(where + ": self " + Thread.holdsLock(self) + ", other " + Thread.holdsLock(other));
    }

    public static void fail(Object other) {
        look("before the throw", other);
        throw new IllegalStateException("thrown");
    }

    public static void again(Object me, Object other, int depth) {
        if (depth > 0) {
            ((Body) me).deep(other, depth - 1);
            look("back in " + depth, other);
        }
    }

    public static void other(Object me) {
        new Thread(() -> {
            synchronized (me) {
                System.out.println("notifier has it");
                me.notifyAll();
            }
        }).start();
    }

    /** Stores of a reference to local 2 or 3 and of a long to 4 go to local 0. */
    static class Patching extends ClassLoader {
        Patching() {
            super(D01Receiver.class.getClassLoader());
        }

        int patched;

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("D01Receiver$Patched")) {
                return super.loadClass(name, resolve);
            }
            Class<?> c = findLoadedClass(name);
            if (c != null) {
                return c;
            }
            try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                byte[] b = in.readAllBytes();
                for (int i = 0; i + 1 < b.length; i++) {
                    int load = b[i] & 0xff, store = b[i + 1] & 0xff;
                    boolean reference = (load == 0x2b || load == 0x01) && (store == 0x4d || store == 0x4e);
                    if (reference) {
                        b[i + 1] = 0x4b;
                        patched++;
                    }
                    // ldc2_w x; lstore 4
                    if (load == 0x14 && i + 4 < b.length && b[i + 3] == 0x37 && b[i + 4] == 4) {
                        b[i + 4] = 0;
                        patched++;
                    }
                }
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static void free(String after, Object... objects) throws InterruptedException {
        for (Object o : objects) {
            boolean[] got = {false};
            Thread t = new Thread(() -> {
                synchronized (o) {
                    got[0] = true;
                }
            });
            t.start();
            t.join();
            System.out.println("after " + after + ": free " + got[0] + ", held " + Thread.holdsLock(o));
        }
    }

    public static void main(String[] args) throws Exception {
        Patching loader = new Patching();
        Class<?> c = loader.loadClass("D01Receiver$Patched");
        System.out.println(loader.patched + " stores");
        Body body = (Body) c.getConstructor().newInstance();
        Object other = new Object();
        self = body;
        body.plain(other);
        free("plain", body, other);
        System.out.println(body.wide(1, 2, other));
        free("wide", body, other);
        try {
            body.thrown(other);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        free("thrown", body, other);
        body.deep(other, 3);
        free("deep", body, other);
        synchronized (other) {
            body.plain(other);
            System.out.println("still held: " + Thread.holdsLock(other));
        }
        free("nested", body, other);
        body.waits(other);
        free("waits", body, other);
    }
}
