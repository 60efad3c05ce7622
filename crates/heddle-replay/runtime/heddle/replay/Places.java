package heddle.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The places that were instrumented, as the instrumenter wrote them down. */
final class Places {
    /** In the order of the table: a place that others share their number with is there under it. */
    private final List<Place> places = new ArrayList<Place>();
    /** By class and index. */
    private final Map<String, List<Place>> byIndex = new HashMap<String, List<Place>>();
    private final List<String> trusted = new ArrayList<String>();
    private final List<String> distrusted = new ArrayList<String>();
    /** The table, until it has been read. */
    private Lines lines;

    Places(Lines lines) {
        this.lines = lines;
    }

    /** Adds a place before the table is read. */
    void expect(int number, int index, boolean exits) {
        places.add(new Place(number, index, exits, this));
    }

    /**
     * Reads the table, which nobody may have to. Lines: {@code place NUMBER CLASS METHOD INDEX POSITION SOURCE
     * KIND}, where SOURCE may be "-" and KIND is "exit" for a call that ends the program, else "-"; {@code
     * trust WORD} and {@code distrust WORD}.
     */
    synchronized Places read() {
        for (int row = 0; lines != null && lines.next(); ) {
            List<String> words = Words.split(lines.line());
            if (words.isEmpty()) {
                continue;
            }
            if (words.get(0).equals("trust")) {
                trusted.add(words.get(1));
            } else if (words.get(0).equals("distrust")) {
                distrusted.add(words.get(1));
            } else if (words.get(0).equals("place")) {
                if (row == places.size()) {
                    boolean exits = words.get(7).equals("exit");
                    expect(Integer.parseInt(words.get(1)), Integer.parseInt(words.get(4)), exits);
                }
                name(places.get(row++), words);
            }
        }
        lines = null;
        return this;
    }

    private void name(Place place, List<String> words) {
        String source = words.get(6);
        String className = words.get(2);
        place.name(className, words.get(3), Integer.parseInt(words.get(5)), source.equals("-") ? null : source);
        String key = className + " " + place.index;
        List<Place> same = byIndex.get(key);
        if (same == null) {
            same = new ArrayList<Place>();
            byIndex.put(key, same);
        }
        same.add(place);
    }

    /** The place that a schedule means. Classes that are trusted have none: threads are outside there. */
    Place find(String className, String method, int index) {
        read();
        String dotted = className.replace('/', '.');
        List<Place> candidates = byIndex.get(dotted + " " + index);
        if (candidates != null) {
            for (Place place : candidates) {
                if (place.is(dotted, method, index)) {
                    return place;
                }
            }
        }
        if (isTrusted(dotted)) {
            return new Place(Place.OUTSIDE, dotted, method, index, 0, null, false);
        }
        throw new IllegalArgumentException("bytecode " + index + " of " + dotted + "." + method
                + " was not instrumented; expected a place that was there when heddle instrumented the program");
    }

    boolean isTrusted(String className) {
        read();
        return longest(trusted, className) > longest(distrusted, className);
    }

    /** The length of the longest word for a package, or for the class or one around it. */
    private static int longest(List<String> words, String className) {
        int longest = -1;
        for (String word : words) {
            String rest = className.startsWith(word) ? className.substring(word.length()) : null;
            boolean covers = rest != null
                    && (word.endsWith(".") || rest.isEmpty() || rest.startsWith(".") || rest.startsWith("$"));
            if (covers) {
                longest = Math.max(longest, word.length());
            }
        }
        return longest;
    }

    Place get(int number) {
        return number < 0 || number >= places.size() ? null : places.get(number);
    }

    /** The row of a place in the table; -1 if it is none of the program's. */
    int row(Place place) {
        return places.indexOf(place);
    }

    int size() {
        return places.size();
    }
}
