import java.io.*;

/** Pipes between threads. */
public class B03Piped {
    public static void main(String[] args) throws Exception {
        PipedInputStream in = new PipedInputStream(16);
        PipedOutputStream out = new PipedOutputStream(in);
        Thread writer = new Thread(() -> {
            try (DataOutputStream d = new DataOutputStream(out)) {
                for (int i = 0; i < 200; i++) d.writeInt(i * i);
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        writer.start();
        DataInputStream d = new DataInputStream(in);
        long sum = 0;
        try {
            while (true) sum += d.readInt();
        } catch (EOFException e) {
            System.out.println("end " + sum);
        }
        writer.join();
        PipedReader r = new PipedReader();
        try (PipedWriter w = new PipedWriter(r)) {
            w.write("chars");
        }
        StringWriter s = new StringWriter();
        r.transferTo(s);
        System.out.println(s);
        try {
            new PipedOutputStream().write(1);
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
