import java.nio.*;
import java.nio.charset.*;
import java.util.*;

/** Encoding and decoding, malformed input, replacement. */
public class B02Charsets {
    public static void main(String[] args) throws Exception {
        String s = "A\u00e9\u20ac\uD83D\uDE00!";
        for (String name : new String[] {"US-ASCII", "ISO-8859-1", "UTF-8", "UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "windows-1252", "ISO-8859-15"}) {
            byte[] b = s.getBytes(name);
            System.out.println(name + " " + Arrays.toString(b) + " " + new String(b, name).equals(s) + " " + Charset.forName(name).aliases().size() * 0);
        }
        byte[][] bad = {{(byte) 0xc3}, {(byte) 0xff, 65}, {(byte) 0xe2, (byte) 0x82, 66}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, {(byte) 0xf0, (byte) 0x9f, (byte) 0x98, (byte) 0x80}, {(byte) 0xc0, (byte) 0x80}};
        for (byte[] b : bad) {
            String d = new String(b, StandardCharsets.UTF_8);
            StringBuilder hex = new StringBuilder();
            for (char c : d.toCharArray()) hex.append(Integer.toHexString(c)).append(' ');
            System.out.println(hex);
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b));
                System.out.println("decoded");
            } catch (CharacterCodingException e) {
                System.out.println(e);
            }
        }
        CharsetEncoder ascii = StandardCharsets.US_ASCII.newEncoder();
        System.out.println(ascii.canEncode('a') + " " + ascii.canEncode('\u00e9') + " " + ascii.maxBytesPerChar());
        try {
            ascii.encode(CharBuffer.wrap("x\u00e9"));
        } catch (CharacterCodingException e) {
            System.out.println(e);
        }
        ascii.onUnmappableCharacter(CodingErrorAction.REPLACE).replaceWith(new byte[] {'#'});
        System.out.println(StandardCharsets.US_ASCII.decode(ascii.encode(CharBuffer.wrap("x\u00e9y"))));
        CharsetDecoder d = StandardCharsets.UTF_8.newDecoder();
        CharBuffer out = CharBuffer.allocate(2);
        ByteBuffer in = ByteBuffer.wrap("abc\u20ac".getBytes(StandardCharsets.UTF_8));
        System.out.println(d.decode(in, out, false) + " " + out.position() + " " + in.position());
        out.clear();
        System.out.println(d.decode(in, out, true) + " " + d.flush(out) + " " + in.remaining());
        System.out.println(Charset.isSupported("latin1") + " " + Charset.forName("latin1") + " " + Charset.forName("utf8").displayName() + " " + StandardCharsets.UTF_8.contains(StandardCharsets.US_ASCII));
        try {
            "x".getBytes("nope");
        } catch (java.io.UnsupportedEncodingException e) {
            System.out.println(e);
        }
        byte[] lone = "a\uD83Db".getBytes(StandardCharsets.UTF_8);
        System.out.println(Arrays.toString(lone));
    }
}
