/** Fields: reads and writes of instance and static fields of several types. */
public class Fields {
    int a = 1;
    long b = 2;
    double c = 3;
    short d;
    Fields next;
    static int counter;
    static long total;

    void step(int i) {
        a += i;
        b ^= a;
        c = c * 0.5 + a;
        d++;
        next.a += d;
        counter++;
        total += b & 0xff;
    }

    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        Fields first = new Fields();
        Fields second = new Fields();
        first.next = second;
        second.next = first;
        Fields f = first;
        for (int r = 0; r < scale; r++) {
            for (int i = 0; i < 1000; i++) {
                f.step(i);
                f = f.next;
            }
        }
        System.out.println(first.a + " " + second.b + " " + first.c + " " + second.d + " " + counter + " " + total);
    }
}
