public class A01Empty {
    public static void main(String[] args) {
    }
}
