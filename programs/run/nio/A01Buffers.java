import java.nio.*;
import java.util.*;

/** ByteBuffer and the typed buffers: heap and direct, both orders, views, slices. */
public class A01Buffers {
    static void exercise(ByteBuffer b) {
        b.order(ByteOrder.BIG_ENDIAN);
        b.put((byte) 1).putChar('x').putShort((short) -2).putInt(3).putLong(4L << 40).putFloat(5.5f).putDouble(-6.25);
        System.out.println(b + " " + b.remaining());
        b.flip();
        System.out.println(b.get() + " " + b.getChar() + b.getShort() + b.getInt() + b.getLong() + b.getFloat() + b.getDouble() + b.hasRemaining());
        b.rewind().order(ByteOrder.LITTLE_ENDIAN);
        System.out.println(b.getInt(1) + " " + b.getLong(3) + " " + b.getShort(0) + b.getDouble(8));
        b.clear().position(4).limit(12);
        ByteBuffer s = b.slice();
        s.put(0, (byte) 99);
        System.out.println(b.get(4) + " " + s.capacity() + s.order() + b.duplicate().remaining() + b.asReadOnlyBuffer().isReadOnly());
        b.mark().position(10).reset();
        b.compact();
        System.out.println(b.position() + " " + b.get(0) + b.limit());
        b.clear();
        IntBuffer ints = b.asIntBuffer();
        ints.put(new int[] {7, 8, 9});
        System.out.println(b.getInt(4) + " " + ints.position() + ints);
        CharBuffer cb = b.asCharBuffer();
        cb.put("hey");
        System.out.println(cb.flip().toString() + b.get(0));
        System.out.println(b.equals(b.duplicate()) + " " + b.compareTo(b.duplicate().position(1)) + " " + b.hashCode() + b.mismatch(b.duplicate().put(5, (byte) 77)));
        for (int i = 0; i < 6; i++) {
            try {
                switch (i) {
                    case 0 -> b.position(100);
                    case 1 -> b.get(-1);
                    case 2 -> ((ByteBuffer) b.duplicate().position(b.limit())).get();
                    case 3 -> ((ByteBuffer) b.duplicate().position(b.limit() - 1)).putInt(1);
                    case 4 -> b.asReadOnlyBuffer().put(0, (byte) 0);
                    default -> b.duplicate().reset();
                }
                System.out.println("fine " + i);
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
    }

    public static void main(String[] args) {
        exercise(ByteBuffer.allocate(40));
        exercise(ByteBuffer.allocateDirect(40));
        ByteBuffer w = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}, 1, 2);
        System.out.println(w + " " + w.hasArray() + w.arrayOffset() + w.array().length + ByteBuffer.allocateDirect(1).hasArray() + ByteBuffer.allocateDirect(1).isDirect());
        LongBuffer l = LongBuffer.allocate(3);
        l.put(5).put(2, 7);
        System.out.println(Arrays.toString(l.array()) + DoubleBuffer.wrap(new double[] {1.5}).get(0) + FloatBuffer.allocate(2).capacity() + ShortBuffer.wrap(new short[] {3}).get() + CharBuffer.wrap("text").subSequence(1, 3));
        ByteBuffer src = ByteBuffer.allocateDirect(8).putLong(0, 0x0102030405060708L), dst = ByteBuffer.allocate(8);
        dst.put(src);
        System.out.println(Arrays.toString(dst.array()));
        byte[] out = new byte[5];
        src.clear().get(out, 1, 3);
        System.out.println(Arrays.toString(out) + src.position());
        System.out.println(src.asLongBuffer().isDirect() + " " + src.alignedSlice(8).capacity());
    }
}
