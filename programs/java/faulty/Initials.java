package faulty;

/** The initials of a name: two blanks in a row leave an empty word. */
public class Initials {
    public static String initials(String name) {
        StringBuilder initials = new StringBuilder();
        int from = 0;
        for (int at = 0; at <= name.length(); at++) {
            if (at == name.length() || name.charAt(at) == ' ') {
                initials.append(name.substring(from, at).charAt(0)); // fails
                from = at + 1;
            }
        }
        return initials.toString();
    }
}
