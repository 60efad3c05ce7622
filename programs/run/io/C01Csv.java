import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/** A tiny table store on disk: CSV with quoting, an index file, updates in place, a log for recovery. */
public class C01Csv {
    static List<String> parse(String line) {
        List<String> out = new ArrayList<>();
        StringBuilder b = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted) {
                if (c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') { b.append('"'); i++; }
                else if (c == '"') quoted = false;
                else b.append(c);
            } else if (c == '"') quoted = true;
            else if (c == ',') { out.add(b.toString()); b.setLength(0); }
            else b.append(c);
        }
        if (quoted) throw new IllegalArgumentException("open quote in " + line);
        out.add(b.toString());
        return out;
    }
    static String format(List<String> fields) { return fields.stream().map(f -> f.matches(".*[\",].*") ? '"' + f.replace("\"", "\"\"") + '"' : f).collect(Collectors.joining(",")); }

    static class Table implements Closeable {
        static final int RECORD = 16;
        final RandomAccessFile file;
        final Path log;
        Table(Path dir) throws IOException { file = new RandomAccessFile(dir.resolve("table.bin").toFile(), "rw"); log = dir.resolve("log.csv"); }
        int add(int key, double value) throws IOException {
            int n = (int) (file.length() / RECORD);
            file.seek(file.length());
            file.writeInt(key);
            file.writeDouble(value);
            file.writeInt(key ^ Double.hashCode(value));
            Files.writeString(log, format(List.of("add", "" + key, "" + value)) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return n;
        }
        double get(int n) throws IOException {
            file.seek((long) n * RECORD);
            int key = file.readInt();
            double v = file.readDouble();
            if (file.readInt() != (key ^ Double.hashCode(v))) throw new IOException("record " + n + " is damaged");
            return v;
        }
        void damage(int n) throws IOException { file.seek((long) n * RECORD + 7); int b = file.read(); file.seek((long) n * RECORD + 7); file.write(b ^ 1); }
        @Override public void close() throws IOException { file.close(); }
    }

    public static void main(String[] args) throws IOException {
        for (String l : new String[] {"a,b,c", "", ",", "\"q,uoted\",x", "\"he said \"\"hi\"\"\",2", "open,\"x", "a\"b\"c"}) {
            try {
                List<String> f = parse(l);
                System.out.println(f.size() + " " + f + " " + format(f));
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        Path dir = Files.createDirectory(Path.of("store"));
        try (Table t = new Table(dir)) {
            for (int i = 0; i < 20; i++) t.add(i, i * 1.5);
            System.out.println(t.get(7) + t.get(19) + " " + t.file.length());
            t.damage(7);
            t.get(7);
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        try (Table t = new Table(dir); BufferedReader r = Files.newBufferedReader(t.log)) {
            t.file.setLength(0);
            List<List<String>> lines = r.lines().map(C01Csv::parse).toList();
            for (List<String> l : lines) { t.file.seek(t.file.length()); t.file.writeInt(Integer.parseInt(l.get(1))); double v = Double.parseDouble(l.get(2)); t.file.writeDouble(v); t.file.writeInt(Integer.parseInt(l.get(1)) ^ Double.hashCode(v)); }
            System.out.println(t.get(7) + " recovered from " + lines.size());
            t.get(20);
        } catch (EOFException e) {
            System.out.println(e);
        }
        try (Stream<Path> s = Files.walk(dir)) { s.sorted(Comparator.reverseOrder()).forEach(p -> { try { System.out.println(p + " " + (Files.isRegularFile(p) ? Files.size(p) : "dir")); Files.delete(p); } catch (IOException e) { throw new UncheckedIOException(e); } }); }
    }
}
