import java.util.*; import java.util.zip.*; import java.io.*;
public class D01Deflate {
  static byte[] data(int kind, int n) {
    byte[] b = new byte[n]; Random r = new Random(kind * 31 + n);
    switch (kind) {
      case 0: r.nextBytes(b); break;
      case 1: for (int i = 0; i < n; i++) b[i] = (byte) ("abcabcabd".charAt(i % 9)); break;
      case 2: for (int i = 0; i < n; i++) b[i] = (byte) ('a' + r.nextInt(4)); break;
      case 3: { String[] w = {"the","quick","brown","fox","jumps","over","lazy","dog","lorem","ipsum","\n"}; StringBuilder s = new StringBuilder(); while (s.length() < n) s.append(w[r.nextInt(w.length)]).append(' '); for (int i = 0; i < n; i++) b[i] = (byte) s.charAt(i); break; }
      case 4: for (int i = 0; i < n; i++) b[i] = (byte) (r.nextInt(20) * r.nextInt(5)); break;
      case 5: break;
      case 6: for (int i = 0; i < n; i++) b[i] = (byte)(r.nextInt(100) < 97 ? 'x' : r.nextInt(256)); break;
      case 7: { int i = 0; while (i < n) { int len = Math.min(n - i, 1 + r.nextInt(3000)); if (i > 10 && r.nextBoolean()) { int src = r.nextInt(i); for (int k = 0; k < len && i < n; k++) { b[i] = b[src + k]; i++; } } else for (int k = 0; k < len; k++) b[i++] = (byte) r.nextInt(); } break; }
    }
    return b;
  }
  static String hex(byte[] b, int n) { CRC32 c = new CRC32(); c.update(b, 0, n); return n + ":" + Long.toHexString(c.getValue()); }
  public static void main(String[] a) throws Exception {
    int max = 5000;
    int[] sizes = {0, 1, 2, 3, 10, 100, 1000, 5000, 40000, 70000, 150000, 400000};
    for (int size : sizes) { if (size > max) break;
      for (int kind = 0; kind < 8; kind++) {
        byte[] d = data(kind, size); StringBuilder line = new StringBuilder("k" + kind + " n" + size);
        for (int level = -1; level <= 9; level++) {
          for (int strat = 0; strat < 3; strat++) { if (strat > 0 && level != 6 && level != 1) continue;
            Deflater df = new Deflater(level, (size & 1) == 0); df.setStrategy(strat); 
            ByteArrayOutputStream o = new ByteArrayOutputStream(); byte[] buf = new byte[level == 3 ? 77 : level == 0 ? 1000 : 8192];
            df.setInput(d); df.finish(); int calls = 0; while (!df.finished()) { int n = df.deflate(buf); o.write(buf, 0, n); calls++; }
            byte[] z = o.toByteArray(); line.append(' ').append(hex(z, z.length)).append('/').append(calls).append('/').append(df.getAdler()); df.end();
            Inflater inf = new Inflater((size & 1) == 0); inf.setInput(z, 0, z.length); byte[] back = new byte[size + 10]; int m = 0; int g = 0; while (!inf.finished() && g++ < 100) m += inf.inflate(back, m, Math.min(back.length - m, 100000)); 
            if (m != size || !Arrays.equals(Arrays.copyOf(back, m), d)) line.append(" BAD");
            line.append(';').append(inf.getTotalIn()).append(',').append(inf.getRemaining()).append(',').append(inf.getAdler());
          }
        }
        System.out.println(line);
      }
    }
    // streaming with sync flushes and parameter changes
    byte[] d = data(3, 60000); Deflater df = new Deflater(1); ByteArrayOutputStream o = new ByteArrayOutputStream(); byte[] buf = new byte[500]; int at = 0; Random r = new Random(5);
    while (at < d.length) { int n = Math.min(d.length - at, 1 + r.nextInt(4000)); df.setInput(d, at, n); at += n;
      if (r.nextInt(3) == 0) df.setLevel(r.nextInt(10)); if (r.nextInt(5) == 0) df.setStrategy(r.nextInt(3));
      int mode = new int[]{Deflater.NO_FLUSH, Deflater.SYNC_FLUSH, Deflater.FULL_FLUSH}[r.nextInt(3)];
      int k; while ((k = df.deflate(buf, 0, buf.length, mode)) > 0) o.write(buf, 0, k); 
      System.out.print(o.size() + " "); }
    df.finish(); while (!df.finished()) o.write(buf, 0, df.deflate(buf)); System.out.println(); System.out.println(hex(o.toByteArray(), o.size()) + " " + df.getBytesRead() + " " + df.getBytesWritten());
    Inflater inf = new Inflater(); byte[] z = o.toByteArray(); byte[] out = new byte[70000]; int m = 0, p = 0; while (!inf.finished()) { if (inf.needsInput()) { int n = Math.min(37, z.length - p); inf.setInput(z, p, n); p += n; } m += inf.inflate(out, m, 111); } System.out.println(m + " " + Arrays.equals(Arrays.copyOf(out, m), d));
    // dictionary
    Deflater dd = new Deflater(); byte[] dict = "the quick brown fox jumps".getBytes(); dd.setDictionary(dict); System.out.println(dd.getAdler()); dd.setInput("the quick brown dog jumps over the fox".getBytes()); dd.finish(); int n = dd.deflate(buf); System.out.println(hex(buf, n));
    Inflater di = new Inflater(); di.setInput(buf, 0, n); System.out.println(di.inflate(out) + " " + di.needsDictionary() + " " + di.getAdler()); try { di.setDictionary("wrong".getBytes()); } catch (IllegalArgumentException e) { System.out.println(e); } di.setDictionary(dict); m = di.inflate(out); System.out.println(new String(out, 0, m));
    // errors
    byte[][] bad = { {1,2,3,4}, {0x78}, {0x79, (byte)0x9c}, {0x78, (byte)0x9c, 7, 0, 0}, {0x78, (byte)0x9c, 1, 5, 0, 1, 1}, {(byte)0x88, (byte)0x1c}, {0x78,(byte)0x9c,(byte)0xed,(byte)0xff,(byte)0xff,(byte)0xff,(byte)0xff,0,0,0,0,0}, {0x78, (byte)0x9c, 0x4b, 4, 0x11, 0,0,0,0}, {0x78,(byte)0x9c,5,0,0,0,0,0,0,0,0,0,0} };
    for (byte[] x : bad) { Inflater i2 = new Inflater(); i2.setInput(x); try { int c = i2.inflate(out); System.out.println(c + " " + i2.finished() + " " + i2.needsInput()); } catch (DataFormatException e) { System.out.println(e + " " + i2.getTotalIn() + " " + i2.getRemaining()); } }
    Random rr = new Random(9); Deflater d3 = new Deflater(); d3.setInput(data(3, 2000)); d3.finish(); byte[] zz = new byte[3000]; int zn = d3.deflate(zz);
    for (int i = 0; i < 300; i++) { byte[] c = Arrays.copyOf(zz, zn); c[rr.nextInt(zn)] ^= 1 << rr.nextInt(8); c[rr.nextInt(zn)] ^= 1 << rr.nextInt(8); Inflater i3 = new Inflater(); i3.setInput(c); try { int q = i3.inflate(out); System.out.print(q + "," + i3.finished() + "," + i3.getTotalIn() + " "); } catch (DataFormatException e) { System.out.print(e.getMessage() + "," + i3.getTotalIn() + "," + i3.getTotalOut() + " "); } }
    System.out.println();
    Adler32 ad = new Adler32(); ad.update(d); System.out.println(ad.getValue()); CRC32C cc = new CRC32C(); cc.update(d); System.out.println(cc.getValue());
    ByteArrayOutputStream gz = new ByteArrayOutputStream(); try (GZIPOutputStream g = new GZIPOutputStream(gz)) { g.write(d); } System.out.println(hex(gz.toByteArray(), gz.size())); 
    try (GZIPInputStream g = new GZIPInputStream(new ByteArrayInputStream(gz.toByteArray()))) { System.out.println(Arrays.equals(g.readAllBytes(), d)); }
  }
}
