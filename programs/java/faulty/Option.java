package faulty;

/** A word of a command line: that there is something after the dash is taken for granted. */
public class Option {
    public static boolean isVerbose(String word) {
        if (!word.startsWith("-")) {
            return false;
        }
        if (word.startsWith("--")) {
            return word.equals("--verbose");
        }
        return word.charAt(1) == 'v'; // fails
    }
}
