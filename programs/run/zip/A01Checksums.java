import java.util.*;
import java.util.zip.*;

/** CRC32, CRC32C, Adler32; deflate and inflate. */
public class A01Checksums {
    public static void main(String[] args) throws Exception {
        byte[] data = new byte[5000];
        for (int i = 0; i < data.length; i++) data[i] = (byte) (i * i >> 3);
        for (Checksum c : new Checksum[] {new CRC32(), new CRC32C(), new Adler32()}) {
            c.update(data, 0, 100);
            c.update(7);
            c.update(data);
            c.update(java.nio.ByteBuffer.wrap(data, 3, 9));
            System.out.println(Long.toHexString(c.getValue()));
            c.reset();
            System.out.println(c.getValue());
        }
        Deflater d = new Deflater(Deflater.BEST_COMPRESSION);
        d.setInput(data);
        d.finish();
        byte[] out = new byte[6000];
        int n = d.deflate(out);
        System.out.println((n < 5000) + " " + d.finished() + d.getTotalIn() + Long.toHexString(d.getAdler() & 0xffffffffL));
        Inflater i = new Inflater();
        i.setInput(out, 0, n);
        byte[] back = new byte[5000];
        System.out.println(i.inflate(back) + " " + i.finished() + Arrays.equals(data, back) + i.getRemaining());
        Inflater bad = new Inflater();
        bad.setInput(new byte[] {1, 2, 3, 4});
        try {
            bad.inflate(back);
        } catch (DataFormatException e) {
            System.out.println(e.getMessage());
        }
        Deflater dict = new Deflater(6, true);
        dict.setInput("hello hello hello hello".getBytes());
        dict.finish();
        n = dict.deflate(out);
        Inflater raw = new Inflater(true);
        raw.setInput(out, 0, n);
        byte[] text = new byte[100];
        System.out.println(new String(text, 0, raw.inflate(text)));
        d.end();
        i.end();
    }
}
