package heddle.replay;

final class Relaunch {
    private Relaunch() {}

    static void ifNeeded() {}
}
