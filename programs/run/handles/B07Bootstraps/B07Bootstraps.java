import java.lang.invoke.*;
import java.util.*;

/** Method handle constants of all kinds, dynamic constants, call sites, and their failures, first and again. */
public class B07Bootstraps {
    static final String SITE = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;";
    static final String CONSTANT = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;[Ljava/lang/Object;)Ljava/lang/Object;";
    static final Assembler assembler = new Assembler();
    static final List<String> names = new ArrayList<>();
    static Class<?> made;

    static void method(String name, int... code) throws Exception { names.add(name); assembler.method(9, name, "()Ljava/lang/Object;", code); }
    static void ldc(String name, Object c) throws Exception { int i = assembler.constant(c); method(name, 0x13, i >> 8, i & 255, 0xb0); }
    static void condyPrim(String name, Assembler.Dynamic c, String t) throws Exception {
        int i = assembler.constant(c);
        String box = "java/lang/" + switch (t) { case "I" -> "Integer"; case "J" -> "Long"; case "D" -> "Double"; case "F" -> "Float"; case "Z" -> "Boolean"; case "C" -> "Character"; case "B" -> "Byte"; default -> "Short"; };
        int v = assembler.ref(10, assembler.cls(box), assembler.nat("valueOf", "(" + t + ")L" + box + ";"));
        method(name, t.equals("J") || t.equals("D") ? 0x14 : 0x13, i >> 8, i & 255, 0xb8, v >> 8, v & 255, 0xb0);
    }
    static void indy(String name, Assembler.Handle h, String desc, Object... args) throws Exception {
        int i = assembler.callSite("dyn", desc, h, args);
        if (desc.endsWith("V")) { method(name, 0xba, i >> 8, i & 255, 0, 0, 1, 0xb0); return; }
        if (!desc.endsWith("I")) { method(name, 0xba, i >> 8, i & 255, 0, 0, 0xb0); return; }
        int v = assembler.ref(10, assembler.cls("java/lang/Integer"), assembler.nat("valueOf", "(I)Ljava/lang/Integer;"));
        method(name, 0xba, i >> 8, i & 255, 0, 0, 0xb8, v >> 8, v & 255, 0xb0);
    }
    static Assembler.Handle bsm(String name, String desc) { return new Assembler.Handle(6, "B07Bootstraps", name, desc, false); }
    static Assembler.Dynamic cd(String name, String desc, Object... args) { return new Assembler.Dynamic(name, desc, bsm("cond", CONSTANT), args); }

    static void assemble() throws Exception {
        Assembler a = assembler;
        a.field(1, "f", "I");
        a.field(9, "s", "Ljava/lang/String;");
        a.field(0x11, "fin", "I");
        int init = a.ref(10, a.cls("Base"), a.nat("<init>", "()V"));
        a.method(1, "<init>", "()V", 0x2a, 0xb7, init >> 8, init & 255, 0xb1);
        int text = a.constant("made.hi");
        a.method(1, "hi", "()Ljava/lang/String;", 0x13, text >> 8, text & 255, 0xb0);
        a.method(2, "pr", "(I)I", 0x1b, 4, 0x60, 0xac);
        // method handle constants of all kinds
        ldc("k1",new Assembler.Handle(1,"Made","f","I",false));
        ldc("k2",new Assembler.Handle(2,"Made","s","Ljava/lang/String;",false));
        ldc("k3",new Assembler.Handle(3,"Made","f","I",false));
        ldc("k4",new Assembler.Handle(4,"Made","s","Ljava/lang/String;",false));
        ldc("k5",new Assembler.Handle(5,"Made","hi","()Ljava/lang/String;",false));
        ldc("k5b",new Assembler.Handle(5,"java/lang/Object","hashCode","()I",false));
        ldc("k5c",new Assembler.Handle(5,"Made","def","()Ljava/lang/String;",false));
        ldc("k5p",new Assembler.Handle(5,"Made","pr","(I)I",false));
        ldc("k5arr",new Assembler.Handle(5,"[I","clone","()Ljava/lang/Object;",false));
        ldc("k5mh",new Assembler.Handle(5,"java/lang/invoke/MethodHandle","invokeExact","(Ljava/lang/String;)I",false));
        ldc("k5vh",new Assembler.Handle(5,"java/lang/invoke/VarHandle","get","(LMade;)I",false));
        ldc("k6",new Assembler.Handle(6,"java/lang/Math","max","(II)I",false));
        ldc("k6i",new Assembler.Handle(6,"Iface","st","()I",true));
        ldc("k6va",new Assembler.Handle(6,"java/lang/String","format","(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;",false));
        ldc("k7",new Assembler.Handle(7,"Base","hi","()Ljava/lang/String;",false));
        ldc("k7i",new Assembler.Handle(7,"Iface","def","()Ljava/lang/String;",true));
        ldc("k8",new Assembler.Handle(8,"java/util/ArrayList","<init>","(I)V",false));
        ldc("k9",new Assembler.Handle(9,"Iface","def","()Ljava/lang/String;",true));
        ldc("k9o",new Assembler.Handle(9,"java/util/List","toString","()Ljava/lang/String;",true));
        // failures
        ldc("e1",new Assembler.Handle(1,"Made","nope","I",false));
        ldc("e2",new Assembler.Handle(6,"java/lang/Math","nope","(II)I",false));
        ldc("e3",new Assembler.Handle(6,"NoSuchClass","x","()V",false));
        ldc("e4",new Assembler.Handle(5,"java/lang/String","isLatin1","()Z",false));
        ldc("e5",new Assembler.Handle(2,"Made","f","I",false));
        ldc("e6",new Assembler.Handle(3,"Made","fin","I",false));
        ldc("e7",new Assembler.Handle(5,"Iface","def","()Ljava/lang/String;",false));
        ldc("e8",new Assembler.Handle(6,"Made","x","(LNoSuchClass;)V",false));
        ldc("e9",new Assembler.Handle(5,"java/lang/Math","max","(II)I",false));
        ldc("e10",new Assembler.Handle(9,"Base","hi","()Ljava/lang/String;",true));
        ldc("e11",new Assembler.Handle(8,"java/util/AbstractList","<init>","()V",false));
        ldc("e12",new Assembler.Handle(6,"sun/misc/Hidden","x","()V",false));
        ldc("e13",new Assembler.Handle(6,"jdk/internal/misc/VM","initLevel","()I",false));
        ldc("t1",new Assembler.Type("(I[JLjava/lang/String;)V"));
        ldc("t2",new Assembler.Type("(LNoSuchClass;)V"));
        ldc("t3",new Assembler.Type("(Ljdk/internal/misc/VM;)V"));
        ldc("c1",new Assembler.Name("NoSuchClass"));
        ldc("c2",new Assembler.Name("[[LMade;"));
        // condy
        ldc("d1",cd("x","Ljava/lang/String;","a",1,2L,3f,4.0,new Assembler.Name("Made")));
        ldc("dnull",cd("null","Ljava/lang/Object;"));
        ldc("d1a",cd("x","Ljava/lang/String;","only"));
        ldc("dnest",cd("x","Ljava/lang/String;",cd("y","Ljava/lang/String;","in"),cd("z","Ljava/lang/String;")));
        for (String t: "I,J,D,F,Z,C,B,S".split(",")) condyPrim("p"+t,cd("prim",t),t);
        ldc("dthrow",cd("throw","Ljava/lang/String;"));
        ldc("derr",cd("error","Ljava/lang/String;"));
        ldc("dlink",cd("linkage","Ljava/lang/String;"));
        ldc("dcast",cd("x","Ljava/lang/Integer;"));
        condyPrim("dprimcast",cd("x","I"),"I");
        ldc("dargerr",cd("x","Ljava/lang/String;",new Assembler.Name("NoSuchClass")));
        ldc("dbsm",new Assembler.Dynamic("x","Ljava/lang/String;",bsm("missing",CONSTANT)));
        ldc("denum",new Assembler.Dynamic("SECONDS","Ljava/util/concurrent/TimeUnit;",new Assembler.Handle(6,"java/lang/invoke/ConstantBootstraps","enumConstant","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Enum;",false)));
        ldc("dtype",new Assembler.Dynamic("x","LNoSuchClass;",bsm("cond",CONSTANT)));
        // indy
        indy("i1",bsm("ok",SITE),"()Ljava/lang/String;");
        indy("i2",bsm("ok",SITE),"()I");
        indy("inull",bsm("nul",SITE),"()V");
        indy("ithrow",bsm("thr",SITE),"()V");
        indy("ierr",bsm("err",SITE),"()V");
        indy("ilink",bsm("lnk",SITE),"()V");
        indy("inotcs",bsm("notcs","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/Object;"),"()V");
        indy("iwrongtype",bsm("wrong",SITE),"()V");
        indy("imissing",bsm("missing",SITE),"()V");
        indy("iargs",bsm("args","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;"),"()Ljava/lang/String;","s",1,2L,3f,4d,new Assembler.Name("Made"),new Assembler.Type("()V"),new Assembler.Handle(6,"java/lang/Math","max","(II)I",false),cd("x","Ljava/lang/String;","q"));
        indy("iargs1",bsm("args","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;"),"()Ljava/lang/String;","s");
        indy("ityped",bsm("typed","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;ILjava/lang/String;J)Ljava/lang/invoke/CallSite;"),"()Ljava/lang/String;",5,"t",6L);
        indy("itypedbad",bsm("typed","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;ILjava/lang/String;J)Ljava/lang/invoke/CallSite;"),"()Ljava/lang/String;","x","t",6L);
        indy("iargbad",bsm("args","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;"),"()Ljava/lang/String;",new Assembler.Name("NoSuchClass"));
        indy("imut",bsm("mut",SITE),"()Ljava/lang/String;");
        indy("ivol",bsm("vol",SITE),"()Ljava/lang/String;");
        indy("icount",bsm("count",SITE),"()Ljava/lang/String;");
        indy("itypebad",bsm("ok",SITE),"()LNoSuchClass;");
        indy("iargthrow",bsm("args","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;"),"()Ljava/lang/String;",cd("throw","Ljava/lang/String;"));
        indy("lambadser",new Assembler.Handle(6,"java/lang/invoke/LambdaMetafactory","metafactory","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",false),"()Ljava/lang/Runnable;",new Assembler.Type("()V"),new Assembler.Handle(6,"java/lang/Math","max","(II)I",false),new Assembler.Type("()V"));
        indy("lamnot",new Assembler.Handle(6,"java/lang/invoke/LambdaMetafactory","metafactory","(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",false),"()Ljava/lang/String;",new Assembler.Type("()V"),new Assembler.Handle(6,"java/lang/System","gc","()V",false),new Assembler.Type("()V"));
    }

    static int counter;
    static CallSite con(MethodType t,Object v){ return new ConstantCallSite(MethodHandles.constant(t.returnType(),v).asType(t)); }
    static CallSite ok(MethodHandles.Lookup l,String n,MethodType t){ System.out.println("  bsm "+n+t+" "+l.lookupClass().getSimpleName()); return con(t,t.returnType()==int.class?(Object)42:"ok"); }
    static CallSite nul(MethodHandles.Lookup l,String n,MethodType t){ return null; }
    static CallSite thr(MethodHandles.Lookup l,String n,MethodType t) throws Exception { throw new java.io.IOException("thrown "+(++counter)); }
    static CallSite err(MethodHandles.Lookup l,String n,MethodType t){ throw new AssertionError("error "+(++counter)); }
    static CallSite lnk(MethodHandles.Lookup l,String n,MethodType t){ throw new LinkageError("linkage "+(++counter), new RuntimeException("why")); }
    static Object notcs(MethodHandles.Lookup l,String n,MethodType t){ return "str"; }
    static CallSite wrong(MethodHandles.Lookup l,String n,MethodType t){ return new ConstantCallSite(MethodHandles.constant(int.class,1)); }
    static CallSite args(MethodHandles.Lookup l,String n,MethodType t,Object... a){ return con(t,Arrays.toString(a)+Arrays.stream(a).map(x->x.getClass().getSimpleName()).toList()); }
    static CallSite typed(MethodHandles.Lookup l,String n,MethodType t,int i,String s,long j){ return con(t,i+s+j); }
    static CallSite mut(MethodHandles.Lookup l,String n,MethodType t){ return new MutableCallSite(MethodHandles.constant(String.class,"mutable")); }
    static CallSite vol(MethodHandles.Lookup l,String n,MethodType t){ return new VolatileCallSite(MethodHandles.constant(String.class,"volatile")); }
    static CallSite count(MethodHandles.Lookup l,String n,MethodType t){ return con(t,"count "+(++counter)); }
    static Object cond(MethodHandles.Lookup l,String n,Class<?> t,Object... a) throws Throwable { System.out.println("  condy "+n+" "+t+" "+Arrays.toString(a)); switch(n){ case "null": return null; case "throw": throw new java.io.IOException("c "+(++counter)); case "error": throw new AssertionError("ce "+(++counter)); case "linkage": throw new LinkageError("cl "+(++counter)); case "prim": return switch(t.getName()){case "int"->7;case "long"->8L;case "double"->1.5;case "float"->2.5f;case "boolean"->true;case "char"->'q';case "byte"->(byte)-3;default->(short)-4;}; default: return "C"+n+Arrays.toString(a); } }

    public static void main(String[] args) throws Throwable {
        assemble();
        byte[] bytes = assembler.finish("Made", "Base", "Iface");
        made = MethodHandles.lookup().defineClass(bytes);
        for (String n : names) {
            for (int i = 0; i < 2; i++) {
                try {
                    Object r = made.getMethod(n).invoke(null);
                    System.out.println(n + ": " + String.valueOf(r).replaceAll("0x[0-9a-f]+", "X"));
                    if (r instanceof MethodHandle mh && i == 0) use(n, mh);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    Throwable t = e.getCause();
                    System.out.println(n + ": " + normal(t));
                    for (int d = 0; t != null && d < 5; d++) {
                        if (d > 0) System.out.println("   cause " + normal(t));
                        if (t.getStackTrace().length > 0) System.out.println("     at " + t.getStackTrace()[0]);
                        t = t.getCause();
                    }
                }
            }
        }
    }
    static String normal(Throwable t) { return t.toString().replaceAll("@(0x)?[0-9a-f]+", "@H"); }

    static void use(String n, MethodHandle mh) { try { Base m=(Base)made.getConstructor().newInstance(); Object r=switch(n){ case "k1"->mh.invoke(m); case "k2"->mh.invoke(); case "k3"->{ mh.invoke(m,5); yield m.getClass().getField("f").getInt(m);} case "k4"->{ mh.invoke("set"); yield m.getClass().getField("s").get(null);} case "k5","k5c"->mh.invoke(m); case "k5p"->mh.invoke(m,4); case "k6"->mh.invoke(3,4); case "k6i"->mh.invoke(); case "k6va"->mh.invoke("%s-%s","a","b"); case "k7","k7i"->mh.invoke(m); case "k8"->mh.invoke(3); case "k9"->mh.invoke((Iface)m); case "k9o"->mh.invoke(List.of(1)); default->"-"; }; System.out.println("   -> "+r+" "+mh.isVarargsCollector()+" "+info(mh)); } catch (Throwable t) { System.out.println("   -> "+t); } }
    static String info(MethodHandle mh){ try { return MethodHandles.privateLookupIn(made,MethodHandles.lookup()).revealDirect(mh).toString(); } catch (Throwable t) { return t.toString(); } }

}
class Base { public String hi() { return "base.hi"; } }
interface Iface { default String def() { return "iface.def"; } static int st() { return 99; } }
