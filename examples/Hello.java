/**
 * The smallest program: compile it with {@code javac Hello.java}, then run it with
 * {@code heddle run -cp . Hello} as you would with {@code java -cp . Hello}.
 */
public class Hello {
    public static void main(String[] args) {
        System.out.println("Hello, World!");
    }
}
