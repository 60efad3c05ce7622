import java.util.*;

/** Enums with bodies, fields, abstract methods, switch, EnumSet and EnumMap. */
public class B04Enums {
    enum Op {
        PLUS("+") { int apply(int a, int b) { return a + b; } },
        MINUS("-") { int apply(int a, int b) { return a - b; } },
        TIMES("*") { int apply(int a, int b) { return a * b; } @Override public String toString() { return "times!"; } };
        final String sign;
        static final Map<String, Op> BY_SIGN = new HashMap<>();
        static { for (Op o : values()) BY_SIGN.put(o.sign, o); }
        Op(String s) { sign = s; }
        abstract int apply(int a, int b);
    }
    enum Level implements Comparator<String> {
        LOW, MID, HIGH;
        public int compare(String a, String b) { return (a.length() - b.length()) * (ordinal() - 1); }
        Level up() { return values()[(ordinal() + 1) % values().length]; }
    }

    static String name(Level l) {
        switch (l) {
            case LOW: return "low";
            case HIGH: return "high";
            default: return "?";
        }
    }

    public static void main(String[] args) {
        for (Op o : Op.values()) System.out.println(o + " " + o.name() + " " + o.ordinal() + " " + o.apply(6, 3) + " " + o.sign + " "
                + o.getClass().getName() + " " + o.getDeclaringClass().getSimpleName());
        System.out.println(Op.valueOf("PLUS") == Op.BY_SIGN.get("+"));
        try {
            Op.valueOf("DIVIDE");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        for (Level l : Level.values()) System.out.print(name(l) + l.up() + l.compare("aa", "b") + " ");
        System.out.println(Level.LOW.compareTo(Level.HIGH));
        EnumSet<Level> set = EnumSet.complementOf(EnumSet.of(Level.MID));
        set.add(Level.HIGH);
        System.out.println(set + " " + set.contains(Level.MID) + EnumSet.range(Level.LOW, Level.MID) + EnumSet.noneOf(Level.class));
        EnumMap<Level, String> map = new EnumMap<>(Level.class);
        map.put(Level.HIGH, "h");
        map.put(Level.LOW, "l");
        map.merge(Level.LOW, "x", String::concat);
        System.out.println(map + " " + map.containsKey(Level.MID) + map.keySet().iterator().next());
        int v = switch (Level.MID) { case LOW -> 1; case MID -> 2; case HIGH -> 3; };
        System.out.println(v + " " + Level.class.getEnumConstants().length + Level.MID.describeConstable().get());
        System.out.println(Enum.valueOf(Level.class, "HIGH") + " " + Level.class.isEnum() + Op.PLUS.getClass().isEnum());
    }
}
