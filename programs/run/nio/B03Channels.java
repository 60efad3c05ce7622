import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** FileChannel: positions, scattering, mapping, transfer, truncation, locks. */
public class B03Channels {
    public static void main(String[] args) throws Exception {
        Path f = Path.of("channel.bin"), g = Path.of("other.bin");
        try (FileChannel c = FileChannel.open(f, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer b = ByteBuffer.allocate(16);
            for (int i = 0; i < 4; i++) b.putInt(i * 1000);
            b.flip();
            System.out.println(c.write(b) + " " + c.position() + c.size());
            c.position(4);
            ByteBuffer one = ByteBuffer.allocate(4), two = ByteBuffer.allocateDirect(4);
            System.out.println(c.read(new ByteBuffer[] {one, two}) + " " + one.getInt(0) + two.getInt(0));
            System.out.println(c.read(ByteBuffer.allocate(10), 14) + " " + c.position() + c.read(ByteBuffer.allocate(4), 100));
            c.write(ByteBuffer.wrap("end".getBytes()), 20);
            System.out.println(c.size());
            c.truncate(22);
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, 22);
            System.out.println(m.getInt(4) + " " + m.get(16) + m.capacity() + m.isDirect());
            m.putInt(4, 4242);
            m.force();
            ByteBuffer check = ByteBuffer.allocate(4);
            c.read(check, 4);
            System.out.println(check.getInt(0));
            try (FileChannel o = FileChannel.open(g, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                System.out.println(c.transferTo(2, 10, o) + " " + o.size());
                c.position(0);
                System.out.println(o.transferFrom(c, 10, 5) + " " + o.size());
            }
            MappedByteBuffer ro = c.map(FileChannel.MapMode.READ_ONLY, 4, 8);
            try {
                ro.put(0, (byte) 1);
            } catch (ReadOnlyBufferException e) {
                System.out.println(e);
            }
            MappedByteBuffer priv = c.map(FileChannel.MapMode.PRIVATE, 0, 8);
            priv.putLong(0, -1);
            System.out.println(c.read(ByteBuffer.allocate(1), 0) + " " + m.getInt(4));
            try (FileLock l = c.lock()) {
                System.out.println(l.isValid() + " " + l.isShared() + l.position());
            }
            c.force(true);
        }
        try (FileChannel c = FileChannel.open(f, StandardOpenOption.READ)) {
            c.write(ByteBuffer.allocate(1));
        } catch (NonWritableChannelException e) {
            System.out.println(e);
        }
        FileChannel closed = FileChannel.open(f);
        closed.close();
        try {
            closed.read(ByteBuffer.allocate(1));
        } catch (ClosedChannelException e) {
            System.out.println(e + " " + closed.isOpen());
        }
        try (SeekableByteChannel s = Files.newByteChannel(f)) {
            ByteBuffer all = ByteBuffer.allocate((int) s.size());
            while (s.read(all) > 0) { }
            System.out.println(Arrays.hashCode(all.array()));
        }
        try (FileChannel c = FileChannel.open(g, StandardOpenOption.APPEND)) {
            c.write(StandardCharsets.UTF_8.encode("appended"));
            System.out.println(c.size());
        }
        try (FileChannel c = FileChannel.open(g, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.DELETE_ON_CLOSE)) {
            System.out.println(c.size());
        }
        System.out.println(Files.exists(g) + " " + Files.deleteIfExists(f));
        ReadableByteChannel r = Channels.newChannel(new java.io.ByteArrayInputStream(new byte[] {5, 6}));
        ByteBuffer rb = ByteBuffer.allocate(3);
        System.out.println(r.read(rb) + " " + r.read(rb) + rb.get(1));
    }
}
