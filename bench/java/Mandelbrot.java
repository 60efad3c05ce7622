/** Doubles in locals: iterations of the Mandelbrot set, floats for the colours. */
public class Mandelbrot {
    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 1200;
        long sum = 0;
        float shade = 0;
        for (int py = 0; py < scale; py++) {
            for (int px = 0; px < scale; px++) {
                double cx = 3.0 * px / scale - 2.0;
                double cy = 2.0 * py / scale - 1.0;
                double x = 0, y = 0;
                int i = 0;
                while (x * x + y * y <= 4.0 && i < 100) {
                    double t = x * x - y * y + cx;
                    y = 2 * x * y + cy;
                    x = t;
                    i++;
                }
                sum = sum * 7 + i;
                shade = shade * 0.5f + i;
            }
        }
        System.out.println(sum + " " + shade);
    }
}
