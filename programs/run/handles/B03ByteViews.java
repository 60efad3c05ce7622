import java.lang.invoke.*;
import java.nio.*;
import java.util.*;

/** VarHandles that view byte arrays and buffers. */
public class B03ByteViews {
    public static void main(String[] args) {
        byte[] bytes = new byte[16];
        for (int i = 0; i < 16; i++) bytes[i] = (byte) (i * 17);
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            VarHandle s = MethodHandles.byteArrayViewVarHandle(short[].class, order), c = MethodHandles.byteArrayViewVarHandle(char[].class, order),
                i = MethodHandles.byteArrayViewVarHandle(int[].class, order), l = MethodHandles.byteArrayViewVarHandle(long[].class, order),
                f = MethodHandles.byteArrayViewVarHandle(float[].class, order), d = MethodHandles.byteArrayViewVarHandle(double[].class, order);
            System.out.println((short) s.get(bytes, 1) + " " + (int) (char) c.get(bytes, 3) + " " + (int) i.get(bytes, 5) + " " + (long) l.get(bytes, 7) + " " + (float) f.get(bytes, 2) + " " + (double) d.get(bytes, 0));
            i.set(bytes, 3, 0x01020304);
            l.set(bytes, 8, 0x1122334455667788L);
            System.out.println(Arrays.toString(bytes));
            try {
                i.get(bytes, 13);
            } catch (IndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
        }
        ByteBuffer buf = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        VarHandle bi = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        bi.set(buf, 4, 77);
        System.out.println(buf.get(7) + " " + (int) bi.getVolatile(buf, 4) + " " + bi.compareAndSet(buf, 4, 77, 78) + " " + (int) bi.getAndAdd(buf, 4, 2) + " " + (int) bi.get(buf, 4));
        try {
            bi.set(ByteBuffer.allocate(8).asReadOnlyBuffer(), 0, 1);
        } catch (ReadOnlyBufferException e) {
            System.out.println(e);
        }
    }
}
