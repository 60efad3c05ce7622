/** The main class does not exist (the sidecar names another one). */
public class B07MissingClass {
}
