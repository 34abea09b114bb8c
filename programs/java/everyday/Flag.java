package everyday;

/** Parses a flag of a command line: -v, --name, or neither. */
public class Flag {
    static String parse(String word) {
        if (word.startsWith("--")) {
            return word.substring(2);
        }
        if (word.startsWith("-")) {
            return String.valueOf(word.charAt(1));
        }
        return null;
    }
}
