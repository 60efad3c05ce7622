import java.lang.invoke.*; import java.util.*;
/** Call sites, switch points, constant bootstraps, every access mode of VarHandles. */
public class B06CallSites {
  static class MyCS extends MutableCallSite { MyCS(MethodHandle m){ super(m);} }
  static int f(int x){ return x+1; } static int g(int x){ return x*2; }
  static void vh(VarHandle v, Object... a){}
  int i; volatile long l; static String st="a"; byte b; char c; boolean z; float fl; double d; short s; Object o;
  static void t(String n, java.util.concurrent.Callable<?> c){ try { System.out.println(n+": "+c.call()); } catch(Throwable t){ System.out.println(n+": "+t); } }
  public static void main(String[] x) throws Throwable {
    var lk = MethodHandles.lookup(); var ii=MethodType.methodType(int.class,int.class);
    var f=lk.findStatic(B06CallSites.class,"f",ii); var g=lk.findStatic(B06CallSites.class,"g",ii);
    var cs=new MyCS(f); var inv=cs.dynamicInvoker(); System.out.println((int)inv.invokeExact(5)); cs.setTarget(g); System.out.println((int)inv.invokeExact(5)); MutableCallSite.syncAll(new MutableCallSite[]{cs});
    var vcs=new VolatileCallSite(f); var vi=vcs.dynamicInvoker(); System.out.println((int)vi.invoke(7)); vcs.setTarget(g); System.out.println((Object)vi.invoke((Integer)7)); System.out.println(new ConstantCallSite(f).getTarget());
    var sw=new SwitchPoint(); var gw=sw.guardWithTest(f,g); System.out.println((int)gw.invokeExact(10)); SwitchPoint.invalidateAll(new SwitchPoint[]{sw}); System.out.println((int)gw.invokeExact(10)+" "+sw.hasBeenInvalidated());
    t("wmt",()->{ try { return (Object)f.invokeExact("x"); } catch (Throwable e){ throw new Exception(e); } });
    t("wmt2",()->{ try { return (long)f.invokeExact(1); } catch (Throwable e){ throw new Exception(e); } });
    t("cast",()->{ try { return f.invoke("x"); } catch (Throwable e){ throw new Exception(e); } });
    t("null",()->{ try { return f.invoke((Integer)null); } catch (Throwable e){ throw new Exception(e); } });
    t("cs type",()->{ cs.setTarget(MethodHandles.identity(long.class)); return 1; });
    System.out.println(ConstantBootstraps.enumConstant(lk,"SECONDS",java.util.concurrent.TimeUnit.class)+" "+ConstantBootstraps.nullConstant(lk,"_",String.class)+" "+ConstantBootstraps.primitiveClass(lk,"I",Class.class)+" "+ConstantBootstraps.getStaticFinal(lk,"MAX_VALUE",int.class,Integer.class)+" "+ConstantBootstraps.invoke(lk,"_",int.class,f,41));
    var v=ConstantBootstraps.fieldVarHandle(lk,"l",VarHandle.class,B06CallSites.class,long.class); var o=new B06CallSites(); v.setVolatile(o,5L); System.out.println((long)v.getAndAdd(o,3L)+" "+(long)v.getAcquire(o)+" "+v);
    for (String n: new String[]{"i","b","c","s","fl","d","z","o"}) { var fd=B06CallSites.class.getDeclaredField(n); var h=lk.unreflectVarHandle(fd); System.out.println(n+" "+h.varType()+" "+h.coordinateTypes()+" "+Arrays.stream(VarHandle.AccessMode.values()).filter(h::isAccessModeSupported).count()); }
    var vi2=lk.findVarHandle(B06CallSites.class,"i",int.class); System.out.println(vi2.compareAndSet(o,0,4)+" "+(int)vi2.compareAndExchange(o,4,9)+" "+(int)vi2.getAndBitwiseOr(o,6)+" "+(int)vi2.get(o)+" "+vi2.weakCompareAndSetPlain(o,15,1)+" "+(int)vi2.getAndSet(o,77)+" "+(int)vi2.getOpaque(o)); vi2.setRelease(o,3); vi2.set(o,(short)4); System.out.println(o.i+" "+(Object)vi2.get(o));
    var vb=lk.findVarHandle(B06CallSites.class,"b",byte.class); System.out.println((byte)vb.getAndAdd(o,(byte)100)+" "+(byte)vb.getAndAdd(o,(byte)100)+" "+(byte)vb.get(o)+" "+vb.compareAndSet(o,(byte)-56,(byte)1)+o.b);
    var vd=lk.findVarHandle(B06CallSites.class,"d",double.class); System.out.println((double)vd.getAndAdd(o,1.5)+" "+(double)vd.get(o)+" "+vd.compareAndSet(o,1.5,2.5)+o.d);
    var vo=lk.findVarHandle(B06CallSites.class,"o",Object.class); System.out.println(vo.compareAndSet(o,null,"q")+" "+vo.getAndSet(o,"r")+" "+vo.get(o));
    var vs=lk.findStaticVarHandle(B06CallSites.class,"st",String.class); System.out.println((String)vs.getAndSet("b")+st+vs.compareAndSet("b","c")+vs.getVolatile());
    var ae=MethodHandles.arrayElementVarHandle(int[].class); int[] ia={1,2,3}; System.out.println((int)ae.getAndAdd(ia,1,10)+" "+ia[1]); t("aioobe",()->ae.get(ia,3)); t("npe",()->{ try { return ae.get((int[])null,0);} catch(NullPointerException e){ return "NPE"; }});
    var oe=MethodHandles.arrayElementVarHandle(String[].class); String[] sa={"x"}; System.out.println(oe.compareAndSet(sa,0,"x","y")+sa[0]); t("cce",()->{ oe.set(sa,0,(Object)1); return 0; });
    t("wrong",()->{ vi2.set(o,"x"); return 0; }); t("arity",()->{ vi2.set(o); return 0; }); t("exact",()->vi2.withInvokeExactBehavior().get(o)); System.out.println((int)vi2.withInvokeExactBehavior().get(o));
    System.out.println(vi2.toMethodHandle(VarHandle.AccessMode.GET).invoke(o)+" "+MethodHandles.varHandleExactInvoker(VarHandle.AccessMode.GET,MethodType.methodType(int.class,B06CallSites.class)).invoke(vi2,o)+" "+vi2.describeConstable().isPresent());
    var fi=B06CallSites.class.getDeclaredField("fin"); var vf=lk.unreflectVarHandle(fi); t("final",()->{ vf.set(o,1); return 0; });
  }
  final int fin=3;
}
