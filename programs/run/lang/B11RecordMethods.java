import java.util.*;
/** Methods of records and string concatenation: order of calls, special values, stack traces. */
public class B11RecordMethods {
  static StringBuilder log=new StringBuilder();
  static class K { String n; K(String n){this.n=n;} public boolean equals(Object o){ log.append("eq"+n+" "); return o instanceof K k && k.n.equals(n);} public int hashCode(){ log.append("h"+n+" "); return n.hashCode(); } public String toString(){ log.append("s"+n+" "); return n.equals("null")?null:n; } }
  record T(K a, int b, K c, float f, double d, K e) {}
  record Uni(String größe, char c中) {}
  record Nest(T t, List<Integer> l, Nest n) {}
  record Thrower(Object o) {}
  record Many(boolean a, byte b, short c, char d, int e, long f, float g, double h, String i, int[] j, Object k){}
  static class X { public String toString(){ throw new IllegalStateException("ts"); } public int hashCode(){ throw new IllegalStateException("hc"); } public boolean equals(Object o){ throw new IllegalStateException("eq"); } }
  static void tr(Runnable r){ try { r.run(); } catch (RuntimeException e) { System.out.println(e); for (var s: e.getStackTrace()) { if (s.getMethodName().contains("lambda")) break; System.out.println("   "+s);} } }
  public static void main(String[] a){
    T t=new T(new K("a"),1,new K("c"),1.5f,Double.NaN,new K("e")), u=new T(new K("a"),1,new K("x"),1.5f,Double.NaN,new K("e"));
    System.out.println(t.equals(u)+" "+log); log.setLength(0); System.out.println(t.hashCode()+" "+log); log.setLength(0); System.out.println(t+" "+log); log.setLength(0);
    System.out.println(new T(new K("null"),0,null,-0.0f,1e300,null)+" "+new T(null,0,null,0f,0,null).hashCode()+" "+new T(null,0,null,0f,0,null).equals(new T(null,0,null,-0f,0,null))+" "+t.equals(t)+" "+t.equals(null)+" "+t.equals("s"));
    System.out.println(new Uni("ä","中".charAt(0))+" "+new Uni(null,'x').hashCode()+" "+new Uni("a",'b').equals(new Uni("a",'b')));
    System.out.println(new Nest(null,List.of(1,2),new Nest(null,null,null)));
    System.out.println(new Many(true,(byte)-1,(short)-2,'q',-3,-4L,Float.MIN_VALUE,Double.MAX_VALUE,"s",null,null)+" "+new Many(false,(byte)-1,(short)-2,'q',-3,-4L,Float.NaN,Double.NaN,"s",null,null).hashCode());
    tr(()->new Thrower(new X()).toString()); tr(()->new Thrower(new X()).hashCode()); tr(()->new Thrower(new X()).equals(new Thrower(new X())));
    record Local(int x){} System.out.println(new Local(3)+" "+new Local(3).hashCode());
    Object o=new X(); tr(()->System.out.println("a"+o)); tr(()->System.out.println(o+"b"+1)); tr(()->System.out.println(""+o)); tr(()->System.out.println(o+""+o)); tr(()->System.out.println("a"+1+o+2.0));
    char[] cs={}; String n=null; K k=new K("null"); System.out.println(""+k+n+null+cs.length); System.out.println(k+"x"); System.out.println(n+k); String e=""; System.out.println((e+e).isEmpty()+" "+(e+n)); String q="x"; System.out.println((q+e)==q); System.out.println((q+"")==q);
    final String cc="const"; System.out.println((cc+1)==(cc+1)); System.out.println("\1\2"+q+"\0");
    log.setLength(0); String ord=""+new K("1")+new K("2")+new K("3"); System.out.println(ord+log);
    Integer nul=null; long L=-5; System.out.println(nul+"|"+L+"|"+(char)65+"|"+(byte)200+"|"+(1==1));
  }
}
