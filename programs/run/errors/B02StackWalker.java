import java.util.*;
import java.util.stream.*;

/** StackWalker, Thread.getStackTrace, caller class. */
public class B02StackWalker {
    static List<String> walk() {
        return StackWalker.getInstance().walk(s -> s.map(f -> f.getClassName() + "." + f.getMethodName() + ":" + f.getLineNumber())
                .collect(Collectors.toList()));
    }
    static Class<?> caller() { return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass(); }
    static class Other { static Class<?> ask() { return caller(); } }
    interface Call { List<String> run(); }
    static int deep(int n) {
        if (n == 0) return (int) (long) StackWalker.getInstance().walk(Stream::count);
        return deep(n - 1);
    }

    public static void main(String[] args) {
        System.out.println(walk());
        Call c = () -> walk();
        System.out.println(c.run().size());
        System.out.println(Other.ask());
        System.out.println(deep(50) - deep(0));
        String first = StackWalker.getInstance().walk(s -> s.limit(1).map(StackWalker.StackFrame::toString).findFirst().get());
        System.out.println(first);
        List<?> classes = StackWalker.getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE)).walk(s -> s.map(StackWalker.StackFrame::getDeclaringClass).toList());
        System.out.println(classes);
        StackWalker.getInstance().walk(s -> s.findFirst()).ifPresent(f -> System.out.println(f.getDescriptor()));
    }
}
