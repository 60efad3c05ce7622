/** Order of finally blocks, overriding returns, nested handlers. */
public class A19TryFinally {
    static StringBuilder log = new StringBuilder();

    @SuppressWarnings("finally")
    static int overridden() {
        try {
            return 1;
        } finally {
            return 2;
        }
    }

    static int kept() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 2;
        }
    }

    static String nested(int n) {
        try {
            try {
                if (n == 0) throw new IllegalStateException("zero");
                if (n == 1) throw new IllegalArgumentException("one");
                if (n == 2) return "two";
                log.append("body;");
            } catch (IllegalStateException e) {
                log.append("caught ").append(e.getMessage()).append(';');
                throw new RuntimeException("again", e);
            } finally {
                log.append("inner;");
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            return "arg " + e.getMessage();
        } catch (RuntimeException e) {
            return e.getMessage() + " because " + e.getCause().getMessage();
        } finally {
            log.append("outer;");
        }
        return "end";
    }

    static int loop() {
        int n = 0;
        for (int i = 0; i < 10; i++) {
            try {
                if (i % 2 == 0) continue;
                if (i == 7) break;
                n += i;
            } finally {
                n += 100;
            }
        }
        return n;
    }

    @SuppressWarnings("finally")
    static String swallow() {
        try {
            throw new Error("lost");
        } finally {
            return "swallowed";
        }
    }

    public static void main(String[] args) {
        System.out.println(overridden() + " " + kept());
        for (int i = 0; i < 4; i++) System.out.println(nested(i));
        System.out.println(log);
        System.out.println(loop() + swallow());
    }
}
