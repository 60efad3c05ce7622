import java.lang.invoke.*;
import java.util.*;
import static java.lang.invoke.MethodType.*;

/** MethodType: making, changing, printing. */
public class A02MethodTypes {
    public static void main(String[] args) throws Exception {
        MethodType t = methodType(String.class, int.class, long[].class, Object.class);
        System.out.println(t + " " + t.toMethodDescriptorString() + " " + t.parameterCount() + t.returnType() + t.parameterType(1) + t.parameterList());
        System.out.println(t.changeReturnType(void.class) + "" + t.changeParameterType(0, byte.class) + t.appendParameterTypes(char.class, double.class)
                + t.insertParameterTypes(1, List.of(String.class)) + t.dropParameterTypes(0, 2));
        System.out.println(t.erase() + "" + t.generic() + t.wrap() + methodType(Integer.class, Long.class).unwrap() + genericMethodType(3) + genericMethodType(1, true));
        System.out.println(t.hasPrimitives() + " " + t.hasWrappers() + " " + t.lastParameterType() + Arrays.toString(t.parameterArray()));
        System.out.println(t == methodType(String.class, int.class, long[].class, Object.class));
        System.out.println(t.equals(methodType(String.class)) + " " + fromMethodDescriptorString("([[IJLjava/util/Map;)V", null));
        for (int i = 0; i < 3; i++) {
            try {
                switch (i) {
                    case 0 -> methodType(int.class, void.class);
                    case 1 -> fromMethodDescriptorString("(X)V", null);
                    default -> t.parameterType(9);
                }
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
        System.out.println(t.describeConstable().get().descriptorString());
    }
}
