/** The uncaught exception comes from deep inside library callbacks. */
public class B12DeepTrace {
    public static void main(String[] args) {
        java.util.List.of(3, 2, 1, 0).stream().map(x -> 6 / x).sorted((a, b) -> a - b).forEach(System.out::println);
    }
}
