import java.lang.invoke.*; import java.nio.file.*; import java.util.*;
/** Hidden classes: names, nests, class data, frames. */
public class B05HiddenClasses {
  static int priv = 5;
  static int hid(){ return 10; }
  public static void main(String[] a) throws Throwable {
    byte[] b = B05HiddenClasses.class.getResourceAsStream("B05T.class").readAllBytes();
    var l = MethodHandles.lookup();
    for (int i=0;i<2;i++) { var hl = l.defineHiddenClass(b, true); Class<?> c = hl.lookupClass(); System.out.println(c.isHidden()+" "+c.getName().replaceAll("/0x.*","/X")+" "+c.getNestHost().equals(c)+" "+c.descriptorString().replaceAll("0x[0-9a-f]*","X")+" "+c.getSimpleName().replaceAll("/0x.*","/X")+" "+c.getTypeName().replaceAll("/0x.*","/X")+" "+c.toString().replaceAll("/0x.*","/X")+" "+c.getCanonicalName()+" "+c.getEnclosingClass());
      Runnable r = (Runnable) c.getDeclaredConstructor().newInstance();
      try { r.run(); } catch (RuntimeException e) { for (var s: e.getStackTrace()) System.out.println("  "+s); }
      try { r.run(); } catch (RuntimeException e) { System.out.println(e); }
      try { Class.forName(c.getName()); } catch (ClassNotFoundException e) { System.out.println(e.toString().replaceAll("/0x.*","/X")); }
      Object arr = java.lang.reflect.Array.newInstance(c, 2); System.out.println(arr.getClass().getName().replaceAll("0x[0-9a-f]*","X")+arr.getClass().isHidden());
    }
    byte[] n = B05HiddenClasses.class.getResourceAsStream("B05N.class").readAllBytes();
    var nm = l.defineHiddenClass(n, false, MethodHandles.Lookup.ClassOption.NESTMATE).lookupClass();
    System.out.println(((java.util.function.IntSupplier)nm.getDeclaredConstructor().newInstance()).getAsInt()+" "+nm.getNestHost()+" "+nm.isNestmateOf(B05HiddenClasses.class));
    var hd = l.defineHiddenClassWithClassData(b, List.of("data"), true); 
    System.out.println(MethodHandles.classData(hd, "_", List.class));
    System.out.println(hd.findStatic(hd.lookupClass(),"data",MethodType.methodType(Object.class)).invoke());
    try { l.defineHiddenClass(new byte[]{1,2,3}, true); } catch (Throwable t) { System.out.println(t); }
    try { l.defineClass(b); } catch (Throwable t) { System.out.println(t); }
    var mt = MethodType.methodType(hd.lookupClass(), hd.lookupClass()); System.out.println(mt.toString().replaceAll("0x[0-9a-f]*","X")+" "+mt.toMethodDescriptorString().replaceAll("0x[0-9a-f]*","X"));
  }
}
  /*T*/class B05T implements Runnable { static int count; private static int secret(){ return ++count; } public void run(){ System.out.println("run "+secret()+" "+getClass().getName().replaceAll("/0x.*","/X")); throw new RuntimeException("in hidden"); } public B05T self(B05T t){ return t; } static Object data() throws Throwable { return MethodHandles.classData(MethodHandles.lookup(), "_", Object.class); } }
class B05N implements java.util.function.IntSupplier { public int getAsInt(){ return B05HiddenClasses.priv + B05HiddenClasses.hid(); } }
