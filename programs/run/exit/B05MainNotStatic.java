/** main is not static. */
public class B05MainNotStatic {
    public void main(String[] args) {
        System.out.println("not called");
    }
}
