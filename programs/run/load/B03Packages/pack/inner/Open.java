package pack.inner;

public class Open {
    protected String prot() { return "prot"; }
    String packagePrivate() { return "base"; }
    public String call() { return prot() + packagePrivate(); }
}
class Secret {}
