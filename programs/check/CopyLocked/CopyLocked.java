/**
 * Copies a synchronized buffer and keeps it locked meanwhile.
 *
 * Correct: the source cannot be cut between the two calls. Locks nest in one direction only.
 */
public class CopyLocked {
    static class Text {
        private char[] chars;

        Text(String s) {
            chars = s.toCharArray();
        }

        synchronized int length() {
            return chars.length;
        }

        synchronized void cut() {
            chars = new char[0];
        }

        synchronized char charAt(int i) {
            return chars[i];
        }

        synchronized String copyOf(Text other) {
            synchronized (other) {
                int n = other.length();
                StringBuilder copy = new StringBuilder();
                for (int i = 0; i < n; i++) {
                    copy.append(other.charAt(i));
                }
                return copy.toString();
            }
        }
    }

    public static void main(String[] args) {
        Text source = new Text("ab");
        Text target = new Text("");
        new Thread(() -> target.copyOf(source), "copier").start();
        new Thread(source::cut, "cutter").start();
    }
}
