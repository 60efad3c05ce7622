/** Switches over types, guards and null: a preview feature of 17, linked by SwitchBootstraps. */
public class B13PatternSwitch {
    sealed interface Shape permits Circle, Square, Pair {}

    record Circle(double radius) implements Shape {}

    record Square(int side) implements Shape {}

    record Pair(Shape left, Shape right) implements Shape {}

    enum Colour { RED, GREEN }

    static String kind(Object o) {
        return switch (o) {
            case null -> "nothing";
            case Integer i && i > 10 -> "large " + i;
            case Integer i -> "small " + i;
            case String s && s.isEmpty() -> "empty";
            case String s -> "text " + s;
            case int[] a -> "array of " + a.length;
            case Colour c -> "colour " + c.ordinal();
            case Shape s -> "shape " + area(s);
            default -> o.getClass().getSimpleName();
        };
    }

    static double area(Shape shape) {
        return switch (shape) {
            case Circle c -> 3 * c.radius() * c.radius();
            case Square s -> s.side() * s.side();
            case Pair p -> area(p.left()) + area(p.right());
        };
    }

    static int colour(Colour c) {
        switch (c) {
            case RED:
                return 1;
            case GREEN:
                return 2;
        }
        return 0;
    }

    public static void main(String[] args) {
        Object[] all = {
            null, 7, 70, "", "word", new int[3], Colour.GREEN, 'c', 2L,
            new Pair(new Circle(2), new Pair(new Square(3), new Square(4))),
        };
        for (int round = 0; round < 3; round++) {
            for (Object o : all) {
                System.out.println(round + " " + kind(o));
            }
        }
        System.out.println(colour(Colour.RED) + colour(Colour.GREEN));
        try {
            Shape none = null;
            System.out.println(area(none));
        } catch (NullPointerException e) {
            System.out.println("no shape");
        }
    }
}
