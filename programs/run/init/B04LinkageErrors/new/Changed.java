public class Changed {
    public static int fieldBecomesStatic = 3;
    public static final int becomesFinal = Integer.parseInt("4");
    public static final int CONSTANT = 6;
    public Changed() {}
    public String kept() { return "kept, new"; }
    public static int becomesStatic() { return 1; }
    public int becomesInstance() { return 1; }
    private int becomesPrivate() { return 1; }
}
abstract class BecomesAbstract {}
interface BecomesInterface { int f(); }
abstract class Abstract { abstract int added(); }
