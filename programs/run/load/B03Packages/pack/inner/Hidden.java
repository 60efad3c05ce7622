package pack.inner;

public class Hidden {
    private static class Result { @Override public String toString() { return "result"; } }
    public static Object make() { return new Result(); }
}
class Annotated {}
