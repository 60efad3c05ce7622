package lib;

class OnlyInNew {
    static String hello() { return "only in new"; }
}
