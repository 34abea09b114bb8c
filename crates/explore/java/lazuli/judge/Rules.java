package lazuli.judge;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Set;

/** Which objects of the JDK are looked into: said once, by whoever compares. */
final class Rules {
    private final String[] lookedInto;
    private final String[] notLookedInto;
    final Set<String> ofThrowable;
    final int mostNodes;

    private Rules(String[] lookedInto, String[] notLookedInto, String[] ofThrowable, int mostNodes) {
        this.lookedInto = lookedInto;
        this.notLookedInto = notLookedInto;
        this.ofThrowable = Set.of(ofThrowable);
        this.mostNodes = mostNodes;
    }

    static Rules read(DataInputStream in) throws IOException {
        return new Rules(texts(in), texts(in), texts(in), in.readInt());
    }

    static String[] texts(DataInputStream in) throws IOException {
        String[] texts = new String[in.readInt()];
        for (int i = 0; i < texts.length; i++) texts[i] = Judge.text(in);
        return texts;
    }

    boolean looksInto(String internalName) {
        return begins(internalName, lookedInto) && !begins(internalName, notLookedInto);
    }

    private static boolean begins(String name, String[] prefixes) {
        for (String prefix : prefixes) if (name.startsWith(prefix)) return true;
        return false;
    }

    static String internal(Class<?> type) {
        return type.getName().replace('.', '/');
    }
}
