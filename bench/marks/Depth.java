/** Ten frames deep, a loop that writes a handful of fields a round: where marks are measured. */
public class Depth {
    int a;
    long b;
    Depth next;
    static int rounds;
    final int[] numbers = new int[8];

    static void down(int depth, Depth one, Depth two) {
        if (depth > 2) {
            down(depth - 1, one, two);
            return;
        }
        System.out.println("ready");
        loop(one, two);
    }

    static void loop(Depth one, Depth two) {
        while (true) {
            one.a++;
            one.b += one.a;
            two.a = one.a;
            two.numbers[one.a & 7]++;
            rounds++;
        }
    }

    public static void main(String[] args) {
        Depth one = new Depth();
        Depth two = new Depth();
        one.next = two;
        down(9, one, two);
    }
}
