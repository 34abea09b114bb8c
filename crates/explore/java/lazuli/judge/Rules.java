package lazuli.judge;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Set;

/** Which objects are looked into: said once, by whoever compares. */
final class Rules {
    private final String[] lookedInto;
    private final String[] notLookedInto;
    final Set<String> ofThrowable;
    final int mostNodes;
    final Set<String> userClasses;

    private Rules(String[] lookedInto, String[] notLookedInto, String[] ofThrowable, int mostNodes, String[] userClasses) {
        this.lookedInto = lookedInto;
        this.notLookedInto = notLookedInto;
        this.ofThrowable = Set.of(ofThrowable);
        this.mostNodes = mostNodes;
        this.userClasses = new java.util.HashSet<>(java.util.List.of(userClasses));
    }

    static Rules read(DataInputStream in) throws IOException {
        return new Rules(texts(in), texts(in), texts(in), in.readInt(), texts(in));
    }

    private static String[] texts(DataInputStream in) throws IOException {
        String[] texts = new String[in.readInt()];
        for (int i = 0; i < texts.length; i++) texts[i] = Judge.text(in);
        return texts;
    }

    boolean looksInto(Class<?> type) {
        String name = internal(type);
        return userClasses.contains(name) || begins(name, lookedInto) && !begins(name, notLookedInto);
    }

    private static boolean begins(String name, String[] prefixes) {
        for (String prefix : prefixes) if (name.startsWith(prefix)) return true;
        return false;
    }

    static String internal(Class<?> type) {
        return type.getName().replace('.', '/');
    }
}
