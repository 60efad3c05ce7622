/**
 * Two classes whose initializers call each other's methods.
 *
 * Breaks when: each thread has begun to initialize one of them and calls a method of the other.
 */
public class InitByCalls {
    static class Menu {
        static {
            Kitchen.open(); //~ deadlock
        }

        static void print() {}
    }

    static class Kitchen {
        static {
            Menu.print(); //~ deadlock
        }

        static void open() {}
    }

    public static void main(String[] args) {
        new Thread(() -> Menu.print(), "waiter").start();
        new Thread(() -> Kitchen.open(), "cook").start();
    }
}
