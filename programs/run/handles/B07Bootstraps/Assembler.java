import java.io.*;
import java.util.*;

/** Writes class files with constants that javac never writes. */
class Assembler {
    record Handle(int kind, String owner, String name, String desc, boolean itf) {}
    record Dynamic(String name, String desc, Handle bootstrap, Object... args) {}
    record Name(String internal) {}
    record Type(String desc) {}

    private final ByteArrayOutputStream pool = new ByteArrayOutputStream();
    private final Map<List<?>, Integer> known = new HashMap<>();
    private final List<int[]> bootstraps = new ArrayList<>();
    private final ByteArrayOutputStream methods = new ByteArrayOutputStream();
    private final ByteArrayOutputStream fields = new ByteArrayOutputStream();
    private int count = 1, methodCount, fieldCount;

    interface Body { void write(DataOutputStream out) throws IOException; }

    private int add(List<?> key, int slots, Body body) throws IOException {
        Integer old = known.get(key);
        if (old != null) return old;
        body.write(new DataOutputStream(pool));
        int index = count;
        count += slots;
        known.put(key, index);
        return index;
    }

    int utf8(String s) throws IOException { return add(List.of(1, s), 1, o -> { o.write(1); o.writeUTF(s); }); }
    int ref(int tag, int... parts) throws IOException {
        return add(Arrays.asList(tag, Arrays.toString(parts)), 1, o -> { o.write(tag); for (int p : parts) o.writeShort(p); });
    }
    int cls(String name) throws IOException { return ref(7, utf8(name)); }
    int nat(String name, String desc) throws IOException { return ref(12, utf8(name), utf8(desc)); }
    int handle(Handle h) throws IOException {
        int member = ref(h.kind <= 4 ? 9 : h.itf ? 11 : 10, cls(h.owner), nat(h.name, h.desc));
        return add(List.of(15, h.kind, member), 1, o -> { o.write(15); o.write(h.kind); o.writeShort(member); });
    }
    private int bootstrap(Handle h, Object... args) throws IOException {
        int[] row = new int[args.length + 1];
        row[0] = handle(h);
        for (int i = 0; i < args.length; i++) row[i + 1] = constant(args[i]);
        bootstraps.add(row);
        return bootstraps.size() - 1;
    }
    int constant(Object c) throws IOException {
        if (c instanceof String s) return ref(8, utf8(s));
        if (c instanceof Integer i) return add(List.of(3, i), 1, o -> { o.write(3); o.writeInt(i); });
        if (c instanceof Float f) return add(List.of(4, f), 1, o -> { o.write(4); o.writeFloat(f); });
        if (c instanceof Long l) return add(List.of(5, l), 2, o -> { o.write(5); o.writeLong(l); });
        if (c instanceof Double d) return add(List.of(6, d), 2, o -> { o.write(6); o.writeDouble(d); });
        if (c instanceof Name n) return cls(n.internal);
        if (c instanceof Type t) return ref(16, utf8(t.desc));
        if (c instanceof Handle h) return handle(h);
        Dynamic d = (Dynamic) c;
        return ref(17, bootstrap(d.bootstrap, d.args), nat(d.name, d.desc));
    }
    int callSite(String name, String desc, Handle h, Object... args) throws IOException {
        return ref(18, bootstrap(h, args), nat(name, desc));
    }

    void field(int access, String name, String desc) throws IOException {
        DataOutputStream o = new DataOutputStream(fields);
        for (int part : new int[] {access, utf8(name), utf8(desc), 0}) o.writeShort(part);
        fieldCount++;
    }
    void method(int access, String name, String desc, int... code) throws IOException {
        DataOutputStream o = new DataOutputStream(methods);
        for (int part : new int[] {access, utf8(name), utf8(desc), 1, utf8("Code")}) o.writeShort(part);
        o.writeInt(12 + code.length);
        o.writeShort(4);
        o.writeShort(2);
        o.writeInt(code.length);
        for (int b : code) o.write(b);
        o.writeInt(0);
        methodCount++;
    }
    byte[] finish(String name, String parent, String... interfaces) throws IOException {
        int own = cls(name), sup = cls(parent), attribute = utf8("BootstrapMethods");
        int[] implemented = new int[interfaces.length];
        for (int i = 0; i < interfaces.length; i++) implemented[i] = cls(interfaces[i]);
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        DataOutputStream t = new DataOutputStream(table);
        t.writeShort(bootstraps.size());
        for (int[] row : bootstraps) {
            t.writeShort(row[0]);
            t.writeShort(row.length - 1);
            for (int i = 1; i < row.length; i++) t.writeShort(row[i]);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream o = new DataOutputStream(all);
        o.writeInt(0xcafebabe);
        o.writeInt(61);
        o.writeShort(count);
        pool.writeTo(o);
        for (int part : new int[] {0x21, own, sup, interfaces.length}) o.writeShort(part);
        for (int i : implemented) o.writeShort(i);
        o.writeShort(fieldCount);
        fields.writeTo(o);
        o.writeShort(methodCount);
        methods.writeTo(o);
        o.writeShort(1);
        o.writeShort(attribute);
        o.writeInt(table.size());
        table.writeTo(o);
        return all.toByteArray();
    }
}
