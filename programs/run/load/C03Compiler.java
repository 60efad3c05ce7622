import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The JDK's compiler, run inside the program: a large program of somebody else's. */
public class C03Compiler {
    static class Source extends SimpleJavaFileObject {
        final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    static class Output extends SimpleJavaFileObject {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Output(String name) {
            super(URI.create("mem:///" + name + ".class"), Kind.CLASS);
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    static class Memory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        final Map<String, Output> outputs = new TreeMap<>();

        Memory(StandardJavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            Output output = new Output(name);
            outputs.put(name, output);
            return output;
        }
    }

    static class Loader extends ClassLoader {
        final Map<String, Output> classes;

        Loader(Map<String, Output> classes) {
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Output output = classes.get(name);
            if (output == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] b = output.bytes.toByteArray();
            return defineClass(name, b, 0, b.length);
        }
    }

    static void compile(String name, String text) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        Memory memory = new Memory(compiler.getStandardFileManager(messages, null, null));
        List<String> options = List.of("-Xlint:all", "-g");
        boolean fine = compiler.getTask(null, memory, messages, options, null, List.of(new Source(name, text))).call();
        System.out.println(name + ": " + fine);
        for (Diagnostic<?> d : messages.getDiagnostics()) {
            System.out.println("  " + d.getKind() + " " + d.getLineNumber() + ":" + d.getColumnNumber() + " "
                    + d.getMessage(java.util.Locale.ROOT));
        }
        for (Map.Entry<String, Output> e : memory.outputs.entrySet()) {
            byte[] b = e.getValue().bytes.toByteArray();
            System.out.println("  " + e.getKey() + " " + b.length + " " + java.util.Arrays.hashCode(b));
        }
        if (fine) {
            Class<?> c = new Loader(memory.outputs).loadClass(name);
            c.getMethod("main", String[].class).invoke(null, (Object) new String[] {"a", "b"});
        }
    }

    public static void main(String[] args) throws Exception {
        compile("Good", """
                import java.util.*;
                import java.util.function.*;
                import java.util.stream.*;

                public class Good {
                    sealed interface Shape permits Circle, Square {}
                    record Circle(double r) implements Shape {}
                    record Square(double a) implements Shape {}
                    enum Op implements IntBinaryOperator {
                        ADD { public int applyAsInt(int a, int b) { return a + b; } },
                        MUL { public int applyAsInt(int a, int b) { return a * b; } }
                    }
                    static double area(Shape s) {
                        if (s instanceof Circle c) return Math.floor(c.r() * c.r() * 3);
                        return s instanceof Square q ? q.a() * q.a() : -1;
                    }
                    static <T extends Comparable<T>> T max(List<? extends T> l) {
                        return l.stream().max(Comparator.naturalOrder()).map(x -> (T) x).orElseThrow();
                    }
                    public static void main(String... args) {
                        System.out.println(area(new Circle(2)) + area(new Square(3)) + max(List.of(3, 9, 4)));
                        for (Op op : Op.values()) System.out.println(op + " " + op.applyAsInt(6, 7));
                        System.out.println(switch (args.length) { case 1 -> "one"; case 2 -> { yield "two" + args[1]; } default -> "many"; });
                        Map<Integer, List<String>> m = Stream.of("x", "yy", "zz").collect(Collectors.groupingBy(String::length));
                        System.out.println(m);
                        try (AutoCloseable c = () -> System.out.println("closed")) { throw new IllegalStateException(); }
                        catch (Exception e) { System.out.println(e); }
                    }
                }
                """);
        compile("Bad", """
                import java.util.*;
                public class Bad {
                    int f() { return "x"; }
                    void g() { List<String> l = new ArrayList<Integer>(); undefined(); }
                    final int y; abstract void h();
                    void k() { int x; x++; for (;;) {} }
                    void k() { throw new Exception(); }
                }
                """);
        compile("Warned", """
                import java.util.*;
                public class Warned {
                    @SuppressWarnings("unused") static List raw = new ArrayList();
                    public static void main(String[] a) { raw.add("w"); switch (a.length) { case 2: System.out.println(raw); case 3: System.out.println("fell"); } }
                }
                """);
        compile("Syntax", "public class Syntax { void f( { } int x = 1 + ; String s = \"open; }");
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            many.add("static long m" + i + "(long x) { return x < 2 ? x : m" + i + "(x - 1) + m" + (i + 1) % 40 + "(x - 2); }");
        }
        compile("Many", "public class Many { " + String.join("\n", many)
                + " public static void main(String[] a) { System.out.println(m0(15)); } }");
    }
}
