/**
 * Counts in an `Integer`, notes the last letter in a `Character` and the state in an enum.
 *
 * Breaks when: always. Nothing orders the accesses of the two threads.
 */
public class RaceOfValues {
    enum State { NEW, DONE }

    static Integer count = 0;
    static Character letter = 'a';
    static State state = State.NEW;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            count++; //~ race
            letter = 'b'; //~ race
            state = State.DONE; //~ race
        });
        other.start();
        count++; //~ race
        char seen = letter; //~ race
        State found = state; //~ race
        other.join();
    }
}
