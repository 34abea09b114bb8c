import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;

/** Calls the methods of a class, one a line of the input, and says for each what it gave and what it printed. */
public class OnMachine {
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        BufferedReader names = new BufferedReader(new InputStreamReader(System.in));
        for (String name = names.readLine(); name != null; name = names.readLine()) {
            Method method = Class.forName(args[0]).getDeclaredMethod(name);
            method.setAccessible(true);
            StringBuilder printed = new StringBuilder();
            System.setOut(new PrintStream(new Kept(printed, "out"), true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(new Kept(printed, "err"), true, StandardCharsets.UTF_8));
            String given;
            try {
                given = "returned " + method.invoke(null);
            } catch (InvocationTargetException e) {
                given = "threw " + e.getCause().getClass().getName();
            }
            // Frames of this class, and of what it calls the method by, are no part of it.
            String own = printed.toString().replaceAll("\tat [^\n]*(OnMachine|\\.reflect\\.)[^\n]*\n", "");
            out.println(name + "\t" + quote(given) + "\t" + quote(own));
        }
        out.flush();
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder();
        for (char c : text.toCharArray()) quoted.append(c < ' ' || c > '~' || c == '\\' ? String.format("\\u%04x", (int) c) : "" + c);
        return quoted.toString();
    }

    /** Keeps what is printed, with a mark wherever the stream changes. */
    static class Kept extends OutputStream {
        static String last;
        final StringBuilder text;
        final String stream;

        Kept(StringBuilder text, String stream) { this.text = text; this.stream = stream; last = null; }

        @Override public void write(int b) {
            if (!stream.equals(last)) text.append('[').append(stream).append(']');
            last = stream;
            text.append((char) (b & 0xff));
        }
    }
}
