/** Virtual dispatch: one call site that sees several classes. */
public class Virtual {
    abstract static class Shape {
        abstract int area();

        int weight() {
            return 1;
        }
    }

    static final class Square extends Shape {
        final int s;

        Square(int s) {
            this.s = s;
        }

        int area() {
            return s * s;
        }
    }

    static class Rect extends Shape {
        final int w, h;

        Rect(int w, int h) {
            this.w = w;
            this.h = h;
        }

        int area() {
            return w * h;
        }

        @Override
        int weight() {
            return 2;
        }
    }

    static final class Framed extends Rect {
        Framed(int w, int h) {
            super(w, h);
        }

        @Override
        int area() {
            return super.area() + 2 * (w + h);
        }
    }

    static final class Dot extends Shape {
        int area() {
            return 0;
        }

        @Override
        int weight() {
            return super.weight() + 3;
        }
    }

    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 11_000;
        Shape[] shapes = new Shape[1000];
        for (int i = 0; i < shapes.length; i++) {
            switch (i * 7 % 4) {
                case 0 -> shapes[i] = new Square(i % 10);
                case 1 -> shapes[i] = new Rect(i % 7, i % 5);
                case 2 -> shapes[i] = new Framed(i % 3, i % 11);
                default -> shapes[i] = new Dot();
            }
        }
        long sum = 0;
        for (int r = 0; r < scale; r++) {
            for (Shape s : shapes) sum += s.area() * s.weight();
        }
        System.out.println(sum);
    }
}
