/** Switch on strings, hash collisions included. */
public class A12StringSwitch {
    static int f(String s) {
        switch (s) {
            case "Aa": return 1;
            case "BB": return 2;
            case "AaAa": return 3;
            case "BBBB": return 4;
            case "AaBB": return 5;
            case "": return 6;
            default: return 0;
        }
    }

    public static void main(String[] args) {
        for (String s : new String[] {"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "", "x"}) {
            System.out.println(s + " " + f(s) + " " + s.hashCode());
        }
        try {
            f(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
    }
}
