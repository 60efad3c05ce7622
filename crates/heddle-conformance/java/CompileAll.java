import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles many independent programs in one process. Each line of standard
 * input is one program: output directory, compiler flags and source files, all
 * separated by tabs (flags first; an empty field ends them). Each line of
 * standard output answers one program: "ok" or "failed" and the message with
 * its line breaks as tabs.
 */
public final class CompileAll {
    public static void main(String[] args) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = in.readLine()) != null) {
            List<String> fields = Arrays.asList(line.split("\t", -1));
            File out = new File(fields.get(0));
            int end = fields.subList(1, fields.size()).indexOf("") + 1;
            List<String> flags = new ArrayList<>(List.of("-proc:none", "-nowarn", "-Xlint:none",
                    "-encoding", "UTF-8", "-d", out.getPath(), "-cp", out.getPath()));
            flags.addAll(fields.subList(1, end));
            StringWriter messages = new StringWriter();
            boolean ok;
            try (StandardJavaFileManager files =
                    compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
                ok = compiler.getTask(messages, files, null, flags, null,
                        files.getJavaFileObjectsFromStrings(fields.subList(end + 1, fields.size()))).call();
            }
            System.out.println((ok ? "ok" : "failed\t" + messages.toString().replace('\n', '\t')));
        }
    }
}
