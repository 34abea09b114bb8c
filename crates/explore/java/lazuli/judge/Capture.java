package lazuli.judge;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the program prints to the standard streams, in order. */
final class Capture {
    /** A program that prints more than this is not remembered whole. */
    private static final int MOST = 1 << 20;

    static final class Piece {
        final int stream;
        final ByteArrayOutputStream text = new ByteArrayOutputStream();

        Piece(int stream) {
            this.stream = stream;
        }
    }

    private final List<Piece> pieces = new ArrayList<>();
    private int size;

    synchronized void clear() {
        pieces.clear();
        size = 0;
    }

    synchronized List<Piece> pieces() {
        return new ArrayList<>(pieces);
    }

    private synchronized void add(int stream, byte[] bytes, int from, int length) {
        if (length == 0 || size > MOST) return;
        size += length;
        Piece last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
        if (last == null || last.stream != stream) pieces.add(last = new Piece(stream));
        last.text.write(bytes, from, length);
    }

    PrintStream stream(int number) {
        OutputStream to = new OutputStream() {
            @Override
            public void write(int b) {
                add(number, new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                add(number, bytes, from, length);
            }
        };
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }
}
