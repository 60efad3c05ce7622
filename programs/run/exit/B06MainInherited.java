/** main comes from a superclass; the class to start is the subclass. */
public class B06MainInherited extends B06Parent {
}

class B06Parent {
    public static void main(String[] args) {
        System.out.println("inherited main");
        throw new UnsupportedOperationException();
    }
}
