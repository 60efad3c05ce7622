package heddle.replay;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Looks at an invariant of the program where the schedule ends. */
final class Invariant {
    private Invariant() {}

    /** Whether the invariant that a sentence is about ("Invariant Bank.sound no longer holds ...") is broken now. */
    static boolean isBroken(String sentence) {
        String[] words = sentence.split(" ");
        if (words.length < 2) {
            return false;
        }
        String outcome;
        boolean wasActive = Hook.active;
        // Nothing that the method does is a step of the program.
        Hook.active = false;
        try {
            outcome = String.valueOf(evaluate(words[1]));
        } catch (InvocationTargetException e) {
            outcome = e.getCause().toString();
        } catch (ReflectiveOperationException e) {
            Verdict.say("cannot look at the invariant " + words[1] + ": " + e);
            return false;
        } finally {
            Hook.active = wasActive;
        }
        Verdict.record("invariant", outcome);
        boolean broken = !outcome.equals("true");
        if (broken) {
            Verdict.say("invariant " + words[1] + (outcome.equals("false") ? " does not hold" : " throws " + outcome));
        }
        return broken;
    }

    private static Object evaluate(String name) throws ReflectiveOperationException {
        int dot = name.lastIndexOf('.');
        Class<?> type = Class.forName(name.substring(0, dot), true, ClassLoader.getSystemClassLoader());
        Method method = type.getDeclaredMethod(name.substring(dot + 1));
        method.setAccessible(true);
        return method.invoke(null);
    }
}
