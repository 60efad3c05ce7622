import java.lang.invoke.*;
import java.nio.*;
import java.util.*;

/** VarHandles: all access modes on fields, statics and arrays. */
public class B02VarHandles {
    int i; long l; boolean z; byte b; short s; char c; float f; double d; String t; final int fin = 7; volatile int v;
    static int si = 5;
    static String st = "st";

    static VarHandle find(String name, Class<?> type) throws Exception { return MethodHandles.lookup().findVarHandle(B02VarHandles.class, name, type); }

    public static void main(String[] args) throws Throwable {
        B02VarHandles o = new B02VarHandles();
        VarHandle I = find("i", int.class), L = find("l", long.class), T = find("t", String.class), Z = find("z", boolean.class), B = find("b", byte.class),
            S = find("s", short.class), C = find("c", char.class), F = find("f", float.class), D = find("d", double.class);
        I.set(o, 1);
        System.out.println((int) I.get(o) + " " + (int) I.getVolatile(o) + " " + (int) I.getOpaque(o) + " " + (int) I.getAcquire(o));
        I.setVolatile(o, 2);
        I.setOpaque(o, 3);
        I.setRelease(o, 4);
        System.out.println(I.compareAndSet(o, 4, 5) + " " + I.compareAndSet(o, 4, 6) + " " + (int) I.compareAndExchange(o, 5, 7) + " " + (int) I.compareAndExchangeAcquire(o, 1, 8) + " " + (int) I.compareAndExchangeRelease(o, 7, 9));
        while (!I.weakCompareAndSet(o, 9, 10)) { }
        while (!I.weakCompareAndSetPlain(o, 10, 11)) { }
        while (!I.weakCompareAndSetAcquire(o, 11, 12)) { }
        while (!I.weakCompareAndSetRelease(o, 12, 13)) { }
        System.out.println((int) I.getAndSet(o, 20) + " " + (int) I.getAndSetAcquire(o, 21) + " " + (int) I.getAndSetRelease(o, 22));
        System.out.println((int) I.getAndAdd(o, 3) + " " + (int) I.getAndAddAcquire(o, 3) + " " + (int) I.getAndAddRelease(o, 3) + " " + o.i);
        System.out.println((int) I.getAndBitwiseOr(o, 0x40) + " " + (int) I.getAndBitwiseAnd(o, 0x5f) + " " + (int) I.getAndBitwiseXor(o, 0xff) + " " + o.i + " " + (int) I.getAndBitwiseOrAcquire(o, 1) + (int) I.getAndBitwiseAndRelease(o, -2) + (int) I.getAndBitwiseXorAcquire(o, 6) + o.i);
        L.set(o, 1L << 40);
        System.out.println((long) L.getAndAdd(o, 5L) + " " + L.compareAndSet(o, (1L << 40) + 5, -1L) + " " + o.l);
        T.set(o, "a");
        System.out.println(T.compareAndSet(o, "a", "b") + " " + (String) T.getAndSet(o, "c") + " " + (String) T.compareAndExchange(o, "c", null) + " " + o.t);
        Z.set(o, true);
        System.out.println((boolean) Z.getAndSet(o, false) + " " + Z.compareAndSet(o, false, true) + " " + (boolean) Z.getAndBitwiseXor(o, true) + o.z);
        B.set(o, (byte) 127);
        S.set(o, (short) -1);
        C.set(o, 'x');
        F.set(o, 1.5f);
        D.set(o, 2.5);
        System.out.println((byte) B.getAndAdd(o, (byte) 1) + " " + o.b + " " + (short) S.getAndAdd(o, (short) 2) + o.s + " " + (char) C.getAndAdd(o, (char) 1) + o.c + " " + (float) F.getAndAdd(o, 1f) + o.f + " " + (double) D.getAndAdd(o, 1.0) + o.d);
        System.out.println(B.compareAndSet(o, (byte) -128, (byte) 5) + " " + S.compareAndSet(o, (short) 1, (short) 9) + " " + C.compareAndSet(o, 'y', 'z') + " " + F.compareAndSet(o, 2.5f, Float.NaN) + " " + F.compareAndSet(o, Float.NaN, 0f) + " " + D.compareAndSet(o, 3.5, -0.0) + " " + D.compareAndSet(o, 0.0, 1.0));
        VarHandle st = MethodHandles.lookup().findStaticVarHandle(B02VarHandles.class, "si", int.class);
        System.out.println((int) st.getAndAdd(10) + " " + si + " " + st.coordinateTypes() + st.varType() + I.coordinateTypes());
        VarHandle A = MethodHandles.arrayElementVarHandle(int[].class), AS = MethodHandles.arrayElementVarHandle(String[].class), AL = MethodHandles.arrayElementVarHandle(long[].class), AB = MethodHandles.arrayElementVarHandle(byte[].class);
        int[] ints = {1, 2, 3};
        System.out.println((int) A.getAndAdd(ints, 1, 40) + " " + A.compareAndSet(ints, 0, 1, 9) + " " + Arrays.toString(ints));
        String[] strs = {"x", null};
        System.out.println(AS.compareAndSet(strs, 1, null, "y") + " " + (String) AS.getVolatile(strs, 1));
        long[] longs = new long[2];
        AL.setRelease(longs, 1, 7L);
        byte[] bytes = new byte[4];
        System.out.println((long) AL.getAndBitwiseOr(longs, 1, 8L) + longs[1] + " " + (byte) AB.getAndSet(bytes, 3, (byte) 3) + AB.compareAndSet(bytes, 2, (byte) 0, (byte) -1) + Arrays.toString(bytes));
        System.out.println(I.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD) + " " + T.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD) + " " + find("fin", int.class).isAccessModeSupported(VarHandle.AccessMode.SET) + " " + F.isAccessModeSupported(VarHandle.AccessMode.GET_AND_BITWISE_OR));
        System.out.println(I.accessModeType(VarHandle.AccessMode.COMPARE_AND_SET) + " " + VarHandle.AccessMode.valueFromMethodName("getAndSet"));
        MethodHandle mh = I.toMethodHandle(VarHandle.AccessMode.GET_AND_ADD);
        System.out.println((int) mh.invokeExact(o, 1) + " " + o.i + " " + MethodHandles.varHandleInvoker(VarHandle.AccessMode.GET, I.accessModeType(VarHandle.AccessMode.GET)).invoke(I, o));
        String[] bad = {"fin", "type", "index", "null", "mode", "store"};
        for (String x : bad) {
            try {
                switch (x) {
                    case "fin" -> find("fin", int.class).set(o, 1);
                    case "type" -> I.set(o, "x");
                    case "index" -> A.get(ints, 3);
                    case "null" -> I.get((B02VarHandles) null);
                    case "mode" -> T.getAndAdd(o, "x");
                    default -> MethodHandles.arrayElementVarHandle(Object[].class).set((Object[]) strs, 0, (Object) 5);
                }
                System.out.println("fine " + x);
            } catch (Throwable t) {
                System.out.println(x + " " + t.getClass().getSimpleName() + ": " + t.getMessage());
            }
        }
        VarHandle.fullFence();
        VarHandle.acquireFence();
        VarHandle.releaseFence();
        VarHandle.loadLoadFence();
        VarHandle.storeStoreFence();
    }
}
