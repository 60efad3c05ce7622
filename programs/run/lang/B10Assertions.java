/** assert with -ea. */
public class B10Assertions {
    static int evaluated;

    static boolean check(boolean b) {
        evaluated++;
        return b;
    }

    public static void main(String[] args) {
        assert check(true);
        System.out.println(evaluated);
        try {
            assert check(false) : "message " + evaluated;
            System.out.println("not enabled");
        } catch (AssertionError e) {
            System.out.println(e);
        }
        Object[] details = {null, 'c', 1, 2L, 1.5f, 2.5, true, new RuntimeException("cause")};
        for (Object d : details) {
            try {
                assert d == details : d;
            } catch (AssertionError e) {
                System.out.println(e.getMessage() + " " + e.getCause());
            }
        }
        System.out.println(B10Assertions.class.desiredAssertionStatus() + " " + String.class.desiredAssertionStatus());
        assert evaluated > 100;
    }
}
