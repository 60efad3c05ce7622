package lib;

public class Version {
    public static String text() { return "version 8"; }
}
