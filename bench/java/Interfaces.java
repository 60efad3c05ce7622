import java.util.function.IntUnaryOperator;

/** Interface dispatch: classes with several interfaces, default methods, lambdas. */
public class Interfaces {
    interface Op {
        int apply(int x);

        default int twice(int x) {
            return apply(apply(x));
        }
    }

    interface Named {
        int id();
    }

    static final class Add implements Named, Op {
        public int apply(int x) {
            return x + 3;
        }

        public int id() {
            return 1;
        }
    }

    static final class Xor implements Op, Comparable<Xor>, Named {
        public int apply(int x) {
            return x ^ 0x5a5a;
        }

        public int id() {
            return 2;
        }

        public int compareTo(Xor o) {
            return 0;
        }
    }

    static final class Mul implements Op, Named {
        public int apply(int x) {
            return x * 5;
        }

        public int id() {
            return 3;
        }

        @Override
        public int twice(int x) {
            return x * 25;
        }
    }

    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 1_600_000;
        Op[] ops = {new Add(), new Xor(), new Mul(), new Xor(), new Add()};
        IntUnaryOperator[] lambdas = {x -> x + 1, x -> x * 3, x -> x >>> 1};
        int v = 1;
        for (int r = 0; r < scale; r++) {
            for (Op op : ops) {
                v = op.twice(v) + ((Named) op).id();
            }
            v = lambdas[r % 3].applyAsInt(v);
        }
        System.out.println(v);
    }
}
