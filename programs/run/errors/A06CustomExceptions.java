/** Causes, suppressed exceptions, try-with-resources, toString. */
public class A06CustomExceptions {
    static class AppException extends Exception {
        final int code;
        AppException(String m, int code, Throwable cause) { super(m, cause); this.code = code; }
        @Override public String getLocalizedMessage() { return "localized " + getMessage(); }
    }
    static class Resource implements AutoCloseable {
        final String name;
        final boolean fails;
        Resource(String name, boolean fails) { this.name = name; this.fails = fails; System.out.println("open " + name); }
        public void close() throws AppException {
            System.out.println("close " + name);
            if (fails) throw new AppException("closing " + name, 1, null);
        }
    }

    public static void main(String[] args) {
        try (Resource a = new Resource("a", true); Resource b = new Resource("b", true); Resource none = null) {
            throw new IllegalStateException("body");
        } catch (Exception e) {
            System.out.println(e);
            for (Throwable t : e.getSuppressed()) System.out.println("  suppressed " + t);
        }
        try (Resource a = new Resource("c", true)) {
            System.out.println("inside");
        } catch (AppException e) {
            System.out.println(e + " " + e.code + " " + e.getSuppressed().length);
        }
        Exception chain = new AppException("top", 2, new RuntimeException(new Error("root")));
        for (Throwable t = chain; t != null; t = t.getCause()) System.out.println(t.getClass().getSimpleName() + " " + t.getMessage());
        try {
            chain.initCause(new Error());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            chain.addSuppressed(chain);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Throwable quiet = new Throwable("quiet", null, false, false) {};
        quiet.addSuppressed(chain);
        System.out.println(quiet.getSuppressed().length + " " + quiet.getStackTrace().length);
    }
}
