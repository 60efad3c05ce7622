/** An uncaught exception that the VM itself raised. */
public class A03UncaughtVm {
    public static void main(String[] args) {
        int[] a = new int[2];
        String s = null;
        System.out.println(a[1]);
        System.out.println(s.length());
    }
}
