/** A class without a main method. */
public class B04NoMain {
    static void main() {
        System.out.println("not this one");
    }
}
