import java.lang.reflect.Field;

/**
 * A plain field that one thread writes and the other reads, both by reflection.
 *
 * Breaks when: always; nothing orders the two.
 */
public class ReflectedField {
    int level;

    public static void main(String[] args) throws Exception {
        ReflectedField tank = new ReflectedField();
        Field level = ReflectedField.class.getDeclaredField("level");
        Thread filler = new Thread(() -> {
            try {
                level.setInt(tank, 7); //~ race
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }, "filler");
        filler.start();
        int seen = level.getInt(tank); //~ race
        filler.join();
        assert seen == 0 || seen == 7;
    }
}
