package pack;

import pack.inner.Hidden;
import pack.inner.Open;

/** Several packages: access across them, package-private and protected, static imports. */
public class B03Packages extends Open {
    @Override protected String prot() { return "overridden " + super.prot(); }
    String packagePrivate() { return "not an override"; }

    public static void main(String[] args) throws Exception {
        Open o = new B03Packages();
        System.out.println(o.call() + " " + new B03Packages().prot() + " " + Hidden.make());
        System.out.println(Open.class.getPackageName() + Hidden.make().getClass().getName());
        try {
            Class.forName("pack.inner.Secret").getDeclaredConstructor().newInstance();
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Class.forName("pack.inner.Annotated").getPackage().isAnnotationPresent(Deprecated.class));
        System.out.println(new String(B03Packages.class.getResourceAsStream("res.txt").readAllBytes()).trim());
    }
}
