import java.util.*; import java.util.function.*;
/** Lambdas and method references of all shapes: conversions, captures, what reflection and stack traces show. */
public class B03Shapes {
  interface Sh { short f(short a, byte b); }
  interface Wide { double f(int a); }
  interface Gen<T> { T g(T a); }
  interface Vo { void v(int x); }
  interface WithDefault { int a(); default int b(){ return a()+1; } static int count = init(); }
  static int init(){ System.out.println("WithDefault init"); return 3; }
  static long sum(int a,long b,double c,String d,char e,boolean f,float g,byte h,short i){ return (long)(a+b+c+d.length()+e+(f?1:0)+g+h+i);}  
  static class Base { protected String prot(){ return "prot"; } String hi(){ return "base"; } }
  static class Der extends Base { String hi(){ return "der"; } Supplier<String> sup(){ return super::hi; } Supplier<String> th(){ return this::hi; } }
  int field = 7;
  int inst(int x){ return field + x; }
  private int priv(int x){ return field * x; }
  static <T> T id(T t){ return t; }
  static int ident(int x){ return x; }
  static Integer boxed(Integer x){ return x; }
  static void trace(Runnable r){ try { r.run(); } catch (RuntimeException e){ for (var s: e.getStackTrace()) System.out.println("  "+s); } }
  public static void main(String[] args) throws Exception {
    Sh sh = (a,b) -> (short)(a*b); System.out.println(sh.f((short)300,(byte)3));
    Wide w = B03Shapes::ident; System.out.println(w.f(5));
    Gen<Integer> g = B03Shapes::ident; System.out.println(g.g(9));
    IntUnaryOperator iu = B03Shapes::boxed; System.out.println(iu.applyAsInt(1234));
    ToLongFunction<Integer> tl = B03Shapes::ident; System.out.println(tl.applyAsLong(77));
    Function<Object,String> ts = Object::toString; System.out.println(ts.apply(12));
    BiFunction<String,Integer,Character> ca = String::charAt; System.out.println(ca.apply("hello",1));
    Supplier<List<String>> nl = ArrayList::new; System.out.println(nl.get());
    IntFunction<int[][]> na = int[][]::new; System.out.println(na.apply(3).length);
    Function<int[],Object> cl = int[]::clone; System.out.println(((int[])cl.apply(new int[]{1,2})).length);
    Vo vo = B03Shapes::ident; vo.v(4);
    B03Shapes l = new B03Shapes(); IntUnaryOperator i1 = l::inst, i2 = l::priv; System.out.println(i1.applyAsInt(3)+" "+i2.applyAsInt(4));
    ToIntBiFunction<B03Shapes,Integer> ub = B03Shapes::inst; System.out.println(ub.applyAsInt(l,10));
    int a=1; long b=2; double c=3.5; String d="four"; char e='5'; boolean f=true; float gg=6.5f; byte h=7; short i=8;
    LongSupplier ls = () -> sum(a,b,c,d,e,f,gg,h,i); System.out.println(ls.getAsLong());
    Der der=new Der(); System.out.println(der.sup().get()+der.th().get());
    WithDefault wd = () -> 41; System.out.println(wd.b());
    Runnable r = () -> {}; Class<?> k = r.getClass();
    System.out.println(k.isHidden()+" "+k.isSynthetic()+" "+k.getModifiers()+" "+Arrays.toString(k.getInterfaces())+" "+k.getSuperclass()+" "+k.getNestHost()+" "+k.getName().replaceAll("[0-9a-fx]+/0x.*","N/X")+" "+k.getSimpleName().replaceAll("[0-9]+/0x.*","N/X")+" "+k.getPackageName()+"|"+k.isAnonymousClass()+k.isLocalClass()+k.isMemberClass()+" "+k.getEnclosingClass()+" "+k.getCanonicalName()+" "+(k.getProtectionDomain()==B03Shapes.class.getProtectionDomain())+" "+k.getClassLoader().getClass().getSimpleName());
    Supplier<Integer> cap = () -> a; k = cap.getClass();
    for (var m: k.getDeclaredMethods()) System.out.println(m.toString().replaceAll("Lambda\\$[^.]*/0x[^.]*","L")); for (var m: k.getDeclaredConstructors()) System.out.println(m.toString().replaceAll("Lambda\\$[^.]*/0x[0-9a-f]*","L")+" "+m.getParameterCount()); for (var m: k.getDeclaredFields()) System.out.println(m.toString().replaceAll("Lambda\\$[^.]*/0x[^.]*","L"));
    trace(() -> { throw new RuntimeException("x"); });
    Gen raw = (Gen<Integer>)(Integer x) -> x+1; try { raw.g("str"); } catch (ClassCastException x) { System.out.println(x.getMessage()); for (var s: x.getStackTrace()) System.out.println("  "+s);}
    Runnable same=null; Set<Object> set = new HashSet<>(); for (int q=0;q<3;q++){ Runnable z = () -> {}; set.add(z); int qq=q; Supplier<Integer> zz = () -> qq; set.add(zz);} System.out.println(set.size());
    Function<String,Class<?>> cf = n -> { try { return Class.forName(n);} catch(Exception x){return null;} }; System.out.println(cf.apply("java.lang.String"));
    Callable1 c1 = Class::forName; System.out.println(c1.call("java.util.List"));
    Comparator<String> cmp = Comparator.<String,Integer>comparing(String::length).thenComparing(Comparator.reverseOrder()); var li = new ArrayList<>(List.of("a","ccc","bb","dd")); li.sort(cmp); System.out.println(li);
    Object o = (Runnable & java.io.Serializable) () -> System.out.println("ser"); ((Runnable)o).run();
    Supplier<Runnable> nest = () -> () -> System.out.println("nested "+a); nest.get().run();
    System.out.println(nest.get().getClass()==nest.get().getClass());
  }
  interface Callable1 { Class<?> call(String n) throws Exception; }
}
