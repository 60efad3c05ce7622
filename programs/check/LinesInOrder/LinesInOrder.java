/**
 * Three threads print two lines each. Only with {@code --order-output} does the order of the
 * lines count: 6! / (2! 2! 2!) orders.
 */
public class LinesInOrder {
    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            int thread = i;
            new Thread(() -> {
                System.out.println(thread + " begins");
                System.out.println(thread + " ends");
            }).start();
        }
    }
}
