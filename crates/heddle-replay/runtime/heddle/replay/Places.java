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

    /**
     * Lines: {@code place NUMBER CLASS METHOD INDEX POSITION SOURCE KIND}, where SOURCE may be "-"
     * and KIND is "exit" for a call that ends the program, else "-"; {@code trust WORD} and
     * {@code distrust WORD}.
     */
    Places(Lines lines) {
        while (lines.next()) {
            List<String> words = Words.split(lines.line());
            if (words.isEmpty()) {
                continue;
            }
            if (words.get(0).equals("trust")) {
                trusted.add(words.get(1));
            } else if (words.get(0).equals("distrust")) {
                distrusted.add(words.get(1));
            } else if (words.get(0).equals("place")) {
                String source = words.get(6);
                add(new Place(
                        Integer.parseInt(words.get(1)),
                        words.get(2),
                        words.get(3),
                        Integer.parseInt(words.get(4)),
                        Integer.parseInt(words.get(5)),
                        source.equals("-") ? null : source,
                        words.get(7).equals("exit")));
            }
        }
    }

    private void add(Place place) {
        places.add(place);
        String key = place.className + " " + place.index;
        List<Place> same = byIndex.get(key);
        if (same == null) {
            same = new ArrayList<Place>();
            byIndex.put(key, same);
        }
        same.add(place);
    }

    /** The place that a schedule means. Classes that are trusted have none: threads are outside there. */
    Place find(String className, String method, int index) {
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

    int size() {
        return places.size();
    }
}
