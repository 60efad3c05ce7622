import java.io.*;
import java.util.*;

/** writeObject and readObject, Externalizable, writeReplace, readResolve, filters, subclasses of the streams. */
public class B01Custom {
    static class Custom implements Serializable {
        transient String secret = "s";
        int n = 1;
        private void writeObject(ObjectOutputStream o) throws IOException { o.defaultWriteObject(); o.writeUTF(secret.toUpperCase()); o.writeInt(99); }
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException { i.defaultReadObject(); secret = i.readUTF() + i.readInt(); }
    }
    public static class Ext implements Externalizable {
        int a; String b;
        public Ext() { System.out.println("Ext()"); }
        Ext(int a, String b) { this.a = a; this.b = b; }
        public void writeExternal(ObjectOutput o) throws IOException { o.writeInt(a); o.writeObject(b); }
        public void readExternal(ObjectInput i) throws IOException, ClassNotFoundException { a = i.readInt() + 1; b = (String) i.readObject(); }
    }
    static class NoCtor implements Externalizable {
        NoCtor(int x) {}
        public void writeExternal(ObjectOutput o) {}
        public void readExternal(ObjectInput i) {}
    }
    static class Single implements Serializable { static final Single ONE = new Single(); private Object readResolve() { return ONE; } }
    static class Replaced implements Serializable {
        final int v;
        Replaced(int v) { this.v = v; }
        private Object writeReplace() { return new Proxy(v * 2); }
        private record Proxy(int w) implements Serializable { private Object readResolve() { return new Replaced(w); } }
    }
    static class Fields implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {new ObjectStreamField("alpha", int.class), new ObjectStreamField("beta", String.class)};
        int x = 3;
        private void writeObject(ObjectOutputStream o) throws IOException { var f = o.putFields(); f.put("alpha", x * 10); f.put("beta", "b"); o.writeFields(); }
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException { var f = i.readFields(); x = f.get("alpha", 0) + ((String) f.get("beta", "")).length() + (f.defaulted("alpha") ? 1000 : 0); }
    }
    static class Validated implements Serializable, ObjectInputValidation {
        int ok = 1;
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException { i.registerValidation(this, 0); i.defaultReadObject(); }
        public void validateObject() throws InvalidObjectException { System.out.println("validated"); if (ok > 1) throw new InvalidObjectException("ok " + ok); }
    }

    static byte[] write(Object t) throws IOException {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (ObjectOutputStream o = new ObjectOutputStream(b)) { o.writeObject(t); }
        return b.toByteArray();
    }
    static Object read(byte[] b) throws IOException, ClassNotFoundException { return new ObjectInputStream(new ByteArrayInputStream(b)).readObject(); }

    public static void main(String[] args) throws Exception {
        System.out.println(((Custom) read(write(new Custom()))).secret);
        Ext e = (Ext) read(write(new Ext(4, "ext")));
        System.out.println(e.a + e.b);
        System.out.println(read(write(Single.ONE)) == Single.ONE);
        System.out.println(((Replaced) read(write(new Replaced(21)))).v);
        System.out.println(((Fields) read(write(new Fields()))).x);
        Validated v = new Validated();
        read(write(v));
        v.ok = 2;
        for (int i = 0; i < 5; i++) {
            try {
                switch (i) {
                    case 0 -> read(write(v));
                    case 1 -> read(write(new NoCtor(1)));
                    case 2 -> read(new byte[] {1, 2, 3, 4});
                    case 3 -> { byte[] b = write("x"); b[4] = 0x33; read(b); }
                    default -> {
                        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(write(new ArrayList<>(List.of(new Custom())))));
                        in.setObjectInputFilter(f -> f.serialClass() == Custom.class ? ObjectInputFilter.Status.REJECTED : ObjectInputFilter.Status.UNDECIDED);
                        in.readObject();
                    }
                }
            } catch (IOException x) {
                System.out.println(x);
            }
        }
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        ObjectOutputStream o = new ObjectOutputStream(b) { { enableReplaceObject(true); } @Override protected Object replaceObject(Object x) { return x instanceof Integer n ? n + 1 : x; } };
        o.writeObject(new Object[] {1, "s", 2});
        o.flush();
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(b.toByteArray())) {
            { enableResolveObject(true); }
            @Override protected Object resolveObject(Object x) { return x instanceof String s ? s + "!" : x; }
            @Override protected Class<?> resolveClass(ObjectStreamClass d) throws IOException, ClassNotFoundException { System.out.println("resolve " + d.getName()); return super.resolveClass(d); }
        };
        System.out.println(Arrays.toString((Object[]) in.readObject()));
    }
}
