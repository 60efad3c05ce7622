import java.io.*;
import java.util.*;

/** No standard input at all. */
public class A03StdinEmpty {
    public static void main(String[] args) throws IOException {
        System.out.println(System.in.read());
        System.out.println(new BufferedReader(new InputStreamReader(System.in)).readLine());
        System.out.println(new Scanner(System.in).hasNext());
        System.setIn(new ByteArrayInputStream("own input".getBytes()));
        System.out.println(new Scanner(System.in).nextLine());
        PrintStream old = System.out;
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        System.setOut(new PrintStream(b));
        System.out.print("captured");
        System.setOut(old);
        System.out.println(b + " " + (System.console() == null));
        System.out.write('x');
        System.out.write("yz\n".getBytes());
        System.out.flush();
        System.out.printf("%s %5.2f%n", "fmt", 2.0 / 3);
        System.out.append("app").append('c').println(new char[] {'!', '?'});
        System.err.print("");
    }
}
