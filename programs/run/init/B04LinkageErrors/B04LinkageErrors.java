/** Classes that vanish or change after compilation: every kind of linkage error. */
public class B04LinkageErrors {
    interface Body { Object run() throws Throwable; }

    static void attempt(String what, Body b) {
        try {
            System.out.println(what + " " + b.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
            if (t.getCause() != null) System.out.println("   cause " + t.getCause());
        }
    }

    public static void main(String[] args) {
        Changed c = new Changed();
        attempt("kept", () -> c.kept());
        attempt("field", () -> c.gone);
        attempt("static field", () -> Changed.goneStatic);
        attempt("method", () -> c.goneMethod(1, "x"));
        attempt("static method", () -> Changed.goneStaticMethod());
        attempt("constructor", () -> new Changed(5));
        attempt("now static", () -> c.becomesStatic());
        attempt("now instance", () -> Changed.becomesInstance());
        attempt("field now static", () -> c.fieldBecomesStatic);
        attempt("now private", () -> c.becomesPrivate());
        attempt("now abstract", () -> new BecomesAbstract());
        attempt("now interface", () -> new BecomesInterface().f());
        attempt("missing", () -> new Vanished());
        attempt("missing again", () -> new Vanished());
        attempt("missing array", () -> new Vanished[2].length);
        attempt("missing cast", () -> (Vanished) (Object) null);
        attempt("missing instanceof", () -> (Object) "x" instanceof Vanished);
        attempt("missing literal", () -> Vanished.class);
        attempt("missing parent", () -> new ChildOfVanished());
        attempt("abstract method", () -> new Concrete().added());
        attempt("final field", () -> { Changed.becomesFinal = 3; return 0; });
        attempt("inlined constant", () -> Changed.CONSTANT);
    }
}
