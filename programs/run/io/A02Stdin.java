import java.io.*;
import java.util.*;

/** Standard input read in several ways. */
public class A02Stdin {
    public static void main(String[] args) throws IOException {
        int first = System.in.read();
        System.out.println((char) first);
        byte[] two = new byte[2];
        System.out.println(System.in.read(two) + new String(two));
        BufferedReader r = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("[" + r.readLine() + "]");
        List<String> rest = new ArrayList<>();
        for (String s; (s = r.readLine()) != null;) rest.add(s);
        System.out.println(rest.size() + " " + rest);
        System.out.println(r.read() + " " + System.in.read() + System.in.available());
    }
}
