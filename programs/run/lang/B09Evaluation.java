/** Order of evaluation: operands, arguments, compound assignments, exceptions half-way. */
public class B09Evaluation {
    static StringBuilder log = new StringBuilder();
    static int i(int v, String s) { log.append(s); return v; }
    static int[] arr(int[] a, String s) { log.append(s); return a; }
    static int boom(String s) { log.append(s); throw new IllegalStateException(s); }
    static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }
    int f;
    static B09Evaluation obj(B09Evaluation o, String s) { log.append(s); return o; }

    static void flush(Object v) { System.out.println(v + " " + log); log.setLength(0); }

    public static void main(String[] args) {
        flush(i(1, "a") + i(2, "b") * i(3, "c") - (i(4, "d") - i(5, "e")));
        flush(three(i(1, "x"), i(2, "y"), i(3, "z")));
        int[] a = {0, 0, 0};
        arr(a, "A")[i(1, "i")] = i(9, "v");
        flush(a[1]);
        arr(a, "A")[i(1, "i")] += i(9, "v");
        flush(a[1]);
        try {
            arr(null, "N")[i(1, "i")] = i(2, "v");
        } catch (NullPointerException e) {
            flush("npe after all operands");
        }
        try {
            arr(a, "A")[i(7, "i")] = i(2, "v");
        } catch (ArrayIndexOutOfBoundsException e) {
            flush("bounds after all operands");
        }
        try {
            arr(a, "A")[boom("B")] = i(2, "v");
        } catch (IllegalStateException e) {
            flush(e.getMessage());
        }
        try {
            three(i(1, "n"), boom("o"), i(2, "p"));
        } catch (Exception e) {
            flush(e);
        } finally {
            flush("fin");
        }
        try {
            obj(null, "O").f = i(3, "v");
        } catch (NullPointerException e) {
            flush("receiver, then value, then check");
        }
        B09Evaluation o = new B09Evaluation();
        obj(o, "O").f += i(3, "v") + obj(o, "P").f++;
        flush(o.f);
        int x = 5;
        x = x++ + ++x - x-- * --x;
        flush(x);
        long l = 3;
        l += l++ * 2.5;
        flush(l);
    }
}
