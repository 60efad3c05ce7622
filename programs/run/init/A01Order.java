/** When static initializers run, and in which order. */
public class A01Order {
    static class Parent {
        static { System.out.println("Parent"); }
        static int field = log("Parent.field");
        { System.out.println("Parent instance"); }
        Parent() { System.out.println("Parent()"); hook(); }
        void hook() { System.out.println("Parent.hook"); }
    }
    static class Child extends Parent {
        static final int CONSTANT = 7;
        static final Integer BOXED = log("Child.BOXED");
        static { System.out.println("Child"); }
        int x = 5;
        { System.out.println("Child instance"); }
        Child() { super(); System.out.println("Child() " + x); }
        void hook() { System.out.println("Child.hook " + x); }
        static void run() { System.out.println("run"); }
    }
    interface Quiet { int N = log("Quiet.N"); }
    interface WithDefault { int M = log("WithDefault.M"); default void d() {} }
    static class Impl implements Quiet, WithDefault {
        static { System.out.println("Impl"); }
    }
    static int log(String s) { System.out.println("init " + s); return s.length(); }
    static { System.out.println("main class"); }

    public static void main(String[] args) throws Exception {
        System.out.println("main");
        System.out.println(Child.CONSTANT);
        Child[] none = new Child[3];
        System.out.println("array made");
        Class<?> literal = Child.class;
        System.out.println("literal");
        System.out.println(Child.field);
        Child.run();
        new Child();
        new Impl();
        System.out.println(Quiet.N);
        Object o = none;
        System.out.println(o instanceof Child[]);
        Class.forName("A01Order$Late", false, A01Order.class.getClassLoader());
        System.out.println("not yet");
        Class.forName("A01Order$Late");
    }
    static class Late { static { System.out.println("Late"); } }
}
