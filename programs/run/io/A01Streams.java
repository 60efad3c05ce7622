import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Byte and character streams in memory. */
public class A01Streams {
    public static void main(String[] args) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream d = new DataOutputStream(bytes)) {
            d.writeBoolean(true);
            d.writeByte(-1);
            d.writeChar('x');
            d.writeShort(-2);
            d.writeInt(123456);
            d.writeLong(Long.MIN_VALUE);
            d.writeFloat(1.5f);
            d.writeDouble(-2.25);
            d.writeUTF("h\u00e9llo\0\u20ac");
            d.writeBytes("raw");
            System.out.println(d.size());
        }
        byte[] all = bytes.toByteArray();
        System.out.println(Arrays.toString(all));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(all));
        System.out.println(in.readBoolean() + " " + in.readUnsignedByte() + in.readChar() + in.readShort() + " " + in.readInt() + in.readLong() + in.readFloat() + in.readDouble() + in.readUTF().length() + in.available());
        in.readFully(new byte[3]);
        System.out.println(in.read());
        try {
            in.readInt();
        } catch (EOFException e) {
            System.out.println(e);
        }
        BufferedReader r = new BufferedReader(new StringReader("one\ntwo\r\nthree\rfour"), 4);
        String line;
        while ((line = r.readLine()) != null) System.out.print(line + "|");
        System.out.println();
        PushbackReader p = new PushbackReader(new StringReader("ab"), 2);
        int c = p.read();
        p.unread(c);
        p.unread('z');
        System.out.println((char) p.read() + "" + (char) p.read() + (char) p.read() + p.read());
        SequenceInputStream s = new SequenceInputStream(new ByteArrayInputStream(new byte[] {1, 2}), new ByteArrayInputStream(new byte[] {3}));
        System.out.println(Arrays.toString(s.readAllBytes()));
        LineNumberReader n = new LineNumberReader(new StringReader("a\nb\nc"));
        n.readLine();
        n.readLine();
        System.out.println(n.getLineNumber());
        StringWriter w = new StringWriter();
        PrintWriter pw = new PrintWriter(w);
        pw.printf(Locale.ROOT, "%d-%s ", 5, "x");
        pw.print('c');
        pw.println(1.5);
        pw.append("appended").flush();
        System.out.println(w.toString().replace("\n", "$") + pw.checkError());
        BufferedInputStream b = new BufferedInputStream(new ByteArrayInputStream("mark and reset".getBytes()), 3);
        b.read();
        b.mark(10);
        b.read(new byte[5]);
        b.reset();
        System.out.println(new String(b.readNBytes(6)) + b.skip(3) + (char) b.read() + b.markSupported());
        InputStreamReader isr = new InputStreamReader(new ByteArrayInputStream("\u20ac\uD83D\uDE00x".getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
        System.out.println(isr.read() + " " + isr.read() + " " + isr.read() + " " + (char) isr.read() + isr.read() + isr.getEncoding());
        StreamTokenizer t = new StreamTokenizer(new StringReader("x = 3.5 + 'str' // comment\n y"));
        t.slashSlashComments(true);
        StringBuilder sb = new StringBuilder();
        while (t.nextToken() != StreamTokenizer.TT_EOF) sb.append(t.ttype).append(t.ttype == StreamTokenizer.TT_WORD || t.ttype == '\'' ? t.sval : t.ttype == StreamTokenizer.TT_NUMBER ? "" + t.nval : "").append(' ');
        System.out.println(sb);
        CharArrayWriter cw = new CharArrayWriter();
        cw.write("chars", 1, 3);
        System.out.println(cw + " " + cw.size());
        PrintStream ps = new PrintStream(bytes, true, "UTF-8");
        bytes.reset();
        ps.print("\u20ac");
        ps.write(65);
        System.out.println(bytes.size() + " " + Arrays.toString(bytes.toByteArray()));
        Reader.nullReader().close();
        System.out.println(new StringReader("transfer").transferTo(w));
    }
}
