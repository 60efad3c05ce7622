import java.util.*;

/** Sealed hierarchies with records and pattern matching: an expression evaluator. */
public class B06Sealed {
    sealed interface Expr permits Num, Add, Mul, Neg, Var {}
    record Num(double v) implements Expr {}
    record Add(Expr l, Expr r) implements Expr {}
    record Mul(Expr l, Expr r) implements Expr {}
    record Neg(Expr e) implements Expr {}
    record Var(String name) implements Expr {}
    static abstract sealed class Vehicle permits Car, Truck {}
    static final class Car extends Vehicle {}
    static non-sealed class Truck extends Vehicle {}
    static class Pickup extends Truck {}

    static double eval(Expr e, Map<String, Double> env) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Add a) return eval(a.l(), env) + eval(a.r(), env);
        if (e instanceof Mul m) return eval(m.l(), env) * eval(m.r(), env);
        if (e instanceof Neg n && n.e() instanceof Neg inner) return eval(inner.e(), env);
        if (e instanceof Neg n) return -eval(n.e(), env);
        if (e instanceof Var v) {
            Double d = env.get(v.name());
            if (d == null) throw new NoSuchElementException("unbound " + v.name());
            return d;
        }
        throw new AssertionError(e);
    }

    static Expr simplify(Expr e) {
        if (e instanceof Add a && a.l() instanceof Num x && a.r() instanceof Num y) return new Num(x.v() + y.v());
        if (e instanceof Mul m && simplify(m.l()) instanceof Num n && n.v() == 0) return new Num(0);
        if (e instanceof Add a) return new Add(simplify(a.l()), simplify(a.r()));
        return e;
    }

    public static void main(String[] args) {
        Expr e = new Add(new Mul(new Num(3), new Var("x")), new Neg(new Neg(new Num(4))));
        System.out.println(e);
        System.out.println(eval(e, Map.of("x", 2.5)));
        try {
            eval(e, Map.of());
        } catch (NoSuchElementException ex) {
            System.out.println(ex.getMessage());
        }
        System.out.println(simplify(new Add(new Add(new Num(1), new Num(2)), new Mul(new Num(0), new Var("y")))));
        System.out.println(Expr.class.isSealed() + " " + Car.class.isSealed() + " " + Vehicle.class.getPermittedSubclasses().length);
        for (Class<?> c : Expr.class.getPermittedSubclasses()) System.out.print(c.getSimpleName() + " ");
        System.out.println(new Pickup() instanceof Vehicle);
    }
}
