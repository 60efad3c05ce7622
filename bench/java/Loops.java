/** Iteration: nested counting loops with little in them. */
public class Loops {
    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 100;
        int x = 0;
        for (int r = 0; r < scale; r++) {
            for (int i = 0; i < 100; i++) {
                for (int j = 0; j < 100; j++) {
                    for (int k = 0; k < 100; k++) {
                        if (((i ^ j ^ k) & 1) == 0) {
                            x += k;
                        } else {
                            x ^= j;
                        }
                    }
                }
            }
        }
        System.out.println(x);
    }
}
