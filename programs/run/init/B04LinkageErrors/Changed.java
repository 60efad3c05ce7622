public class Changed {
    public int gone = 1;
    public static int goneStatic = 2;
    public int fieldBecomesStatic = 3;
    public static int becomesFinal = 4;
    public static final int CONSTANT = 5;
    public Changed() {}
    public Changed(int i) {}
    public String kept() { return "kept"; }
    public int goneMethod(int i, String s) { return 1; }
    public static int goneStaticMethod() { return 1; }
    public int becomesStatic() { return 1; }
    public static int becomesInstance() { return 1; }
    public int becomesPrivate() { return 1; }
}
class BecomesAbstract {}
class BecomesInterface { int f() { return 1; } }
class Vanished {}
class ChildOfVanished extends Vanished {}
abstract class Abstract { int added() { return 1; } }
class Concrete extends Abstract {}
