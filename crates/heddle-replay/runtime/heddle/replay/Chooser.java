package heddle.replay;

/**
 * Picks who goes on: all that a new strategy for recording has to do. Options come in the order of the
 * threads' numbers, so that the same seed makes the same choices.
 */
interface Chooser {
    /** One of the options, which are never empty. The running thread is among them if it can go on. */
    Strand choose(Strand running, Strand[] options);

    /** The name that goes into the header of the schedule. */
    String name();

    /** Any thread at any operation, but mostly the running one: `-Dheddle.switch=N`, one time in N. */
    final class AtRandom implements Chooser {
        private final int rarity;
        private long state;

        AtRandom(long seed, int rarity) {
            this.state = seed;
            this.rarity = rarity;
        }

        @Override
        public Strand choose(Strand running, Strand[] options) {
            for (Strand option : options) {
                if (option == running && below(rarity) != 0) {
                    return running;
                }
            }
            return options[below(options.length)];
        }

        /** A number from 0 on; the generator is splitmix64. */
        private int below(int end) {
            state += 0x9e3779b97f4a7c15L;
            long z = state;
            z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
            z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
            return (int) (((z ^ z >>> 31) >>> 33) % end);
        }

        @Override
        public String name() {
            return "record";
        }
    }
}
