import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import static java.nio.file.StandardOpenOption.*;

/** Channels on files: mapping, transfer, scatter and gather, locks, asynchronous ones. */
public class D02Mapped {
    interface Act { Object run() throws Exception; }

    static void show(String what, Act act) {
        try {
            System.out.println(what + ": " + act.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
        }
    }

    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("d02", ".bin"), other = Files.createTempFile("d02", ".bin");
        try (FileChannel c = FileChannel.open(file, READ, WRITE)) {
            MappedByteBuffer map = c.map(FileChannel.MapMode.READ_WRITE, 0, 10000);
            System.out.println(c.size() + " " + map.isDirect() + " " + map.capacity());
            map.putInt(5000, 0x01020304).put(0, (byte) 9).put(9999, (byte) 8);
            byte[] read = Files.readAllBytes(file);
            System.out.println(read.length + " " + read[0] + " " + read[5000] + " " + read[5003] + " " + read[9999]);
            map.force();
            c.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 100);
            System.out.println(map.get(100) + " " + map.get(102));
            MappedByteBuffer tail = c.map(FileChannel.MapMode.READ_ONLY, 4999, 10);
            System.out.println(tail.get(1) + " " + tail.get(4));
            map.putInt(5000, 7);
            System.out.println(tail.get(4));
            show("read only", () -> tail.put(0, (byte) 1));
            MappedByteBuffer own = c.map(FileChannel.MapMode.PRIVATE, 0, 100);
            own.put(0, (byte) 77);
            System.out.println(own.get(0) + " " + map.get(0) + " " + own.load().isLoaded());
            show("beyond", () -> FileChannel.open(file, READ).map(FileChannel.MapMode.READ_ONLY, 0, 20000));
            show("negative", () -> c.map(FileChannel.MapMode.READ_ONLY, -1, 2));
            c.position(10);
            ByteBuffer[] parts = {ByteBuffer.wrap("ab".getBytes()), ByteBuffer.allocateDirect(3).put("cde".getBytes()).flip(), ByteBuffer.wrap("f".getBytes())};
            System.out.println(c.write(parts) + " " + c.position());
            ByteBuffer[] in = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(4), ByteBuffer.allocate(2)};
            c.position(10);
            System.out.println(c.read(in) + " " + (char) in[0].get(0) + (char) in[1].get(3) + " " + in[2].get(1));
            try (FileChannel to = FileChannel.open(other, READ, WRITE)) {
                System.out.println(c.transferTo(10, 6, to) + " " + to.position() + " " + to.size());
                System.out.println(to.transferFrom(c, 6, 4) + " " + to.size() + " " + c.position());
                System.out.println(c.transferTo(9998, 100, to) + " " + c.transferTo(20000, 5, to));
                System.out.println(to.transferFrom(Channels.newChannel(new ByteArrayInputStream(new byte[50])), 0, 20) + " " + to.size());
            }
            System.out.println(c.truncate(50).size() + " " + c.position(1000).position() + " " + c.read(ByteBuffer.allocate(4)));
            c.write(ByteBuffer.wrap(new byte[1]));
            System.out.println(c.size());
            try (FileLock lock = c.lock(0, 100, false)) {
                System.out.println(lock.isValid() + " " + lock.isShared() + " " + lock.overlaps(50, 1) + " " + lock.size());
                show("overlap", () -> c.tryLock(50, 10, false));
                show("overlap 2", () -> FileChannel.open(file, WRITE).tryLock(0, 1, false));
                System.out.println(c.tryLock(200, 10, true).isShared());
            }
            show("append", () -> { try (FileChannel x = FileChannel.open(file, APPEND)) { x.write(ByteBuffer.wrap(new byte[4])); return x.position() + " " + x.size(); } });
            show("not readable", () -> FileChannel.open(file, WRITE).read(ByteBuffer.allocate(1)));
            show("not writable", () -> FileChannel.open(file, READ).write(ByteBuffer.allocate(1)));
            show("negative position", () -> c.position(-1));
            show("read at", () -> { ByteBuffer x = ByteBuffer.allocate(8); return c.read(x, 998) + " " + x; });
        }
        show("closed", () -> { FileChannel c = FileChannel.open(file); c.close(); return c.size(); });
        try (AsynchronousFileChannel c = AsynchronousFileChannel.open(file, READ, WRITE)) {
            System.out.println(c.write(ByteBuffer.wrap("async".getBytes()), 3).get());
            ByteBuffer b = ByteBuffer.allocate(5);
            System.out.println(c.read(b, 3).get() + " " + new String(b.array()) + " " + c.size());
            CompletableFuture<String> done = new CompletableFuture<>();
            c.read(ByteBuffer.allocate(4), 100000, "att", new CompletionHandler<Integer, String>() {
                public void completed(Integer n, String a) { done.complete(n + a); }
                public void failed(Throwable t, String a) { done.complete(t + a); }
            });
            System.out.println(done.get());
        }
        Thread t = new Thread(() -> {
            Thread.currentThread().interrupt();
            show("interrupted", () -> { try (FileChannel c = FileChannel.open(file)) { return c.read(ByteBuffer.allocate(1)); } });
        });
        t.start();
        t.join();
        try (RandomAccessFile raf = new RandomAccessFile(file.toFile(), "rw")) {
            FileChannel c = raf.getChannel();
            raf.seek(2);
            System.out.println(c.position() + " " + raf.read());
            c.position(4);
            System.out.println(raf.getFilePointer() + " " + (char) raf.read() + " " + c.position());
        }
        try (SeekableByteChannel s = Files.newByteChannel(file)) {
            ByteBuffer b = ByteBuffer.allocate(3);
            System.out.println(s.position(3).read(b) + new String(b.array()) + s.position() + " " + s.size());
        }
        Scanner scanner = new Scanner(Channels.newReader(FileChannel.open(file).position(3), "ISO-8859-1"));
        System.out.println(scanner.findWithinHorizon("[a-z]+", 100));
        Files.delete(file);
        Files.delete(other);
    }
}
