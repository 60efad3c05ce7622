import java.io.*; import java.util.*;
public class D04StdinWays { public static void main(String[] a) throws Exception {
  System.out.println(System.in.available() > 0); System.out.println((char) System.in.read()); System.in.mark(10); System.out.println((char) System.in.read()); System.in.reset(); System.out.println((char) System.in.read());
  System.out.println(System.in.skip(2)); BufferedReader r = new BufferedReader(new InputStreamReader(System.in)); System.out.println(r.readLine()); System.out.println(r.ready()); System.out.println(r.readLine()); 
  Scanner s = new Scanner(r); System.out.println(s.nextInt() + s.nextInt()); System.out.println(s.nextLine() + "|" + s.nextLine()); while (s.hasNextLine()) System.out.println("<" + s.nextLine() + ">"); System.out.println(System.in.read() + " " + System.in.available()); System.in.close(); try { System.in.read(); } catch (IOException e) { System.out.println(e); }
  try { new FileInputStream(FileDescriptor.in).read(); } catch (IOException e) { System.out.println(e); } } }
