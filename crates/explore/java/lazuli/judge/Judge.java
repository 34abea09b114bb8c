package lazuli.judge;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Runs witnesses: reads requests, builds the inputs that they describe, calls the real method, and says what it came to. One
 * thread reads, another does the work; answers come in the order of requests.
 */
public final class Judge {
    private final DataInputStream in;
    private final DataOutputStream out;
    private final LinkedBlockingQueue<byte[]> requests = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<byte[]> classes = new LinkedBlockingQueue<>();
    private final Rules rules;
    /** The programs that there are, by their numbers. */
    private final Map<Integer, Program> programs = new HashMap<>();
    private final Properties properties = (Properties) System.getProperties().clone();
    private final Capture capture = new Capture();
    private final PrintStream stdout = capture.stream(0);
    private final PrintStream stderr = capture.stream(1);
    private Judge(InputStream from, FileOutputStream to) throws IOException {
        in = new DataInputStream(new BufferedInputStream(from, 1 << 16));
        out = new DataOutputStream(new BufferedOutputStream(to, 1 << 16));
        rules = Rules.read(in);
    }

    public static void main(String[] args) throws Exception {
        // Nobody else writes to the pipe: what the program prints is captured.
        Judge judge = new Judge(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        judge.restoreMachine();
        Thread worker = new Thread(null, judge::work, "main", 256L << 20);
        worker.start();
        judge.read();
        // Nobody asks any more: whatever the program has started ends too.
        Runtime.getRuntime().halt(0);
    }

    /** Every message has a kind and a length. */
    private void read() throws IOException {
        while (true) {
            int kind = in.read();
            if (kind < 0) return;
            byte[] body = in.readNBytes(in.readInt());
            (kind == 'K' ? classes : requests).add(body);
        }
    }

    private void work() {
        try {
            out.write('R');
            out.flush();
            while (true) {
                byte[] request = requests.poll();
                if (request == null) {
                    out.flush();
                    request = requests.take();
                }
                answer(request);
            }
        } catch (Throwable broken) {
            broken.printStackTrace(new PrintStream(new FileOutputStream(FileDescriptor.err)));
            Runtime.getRuntime().halt(70);
        }
    }

    /** The class file of one of a program's classes, or null. Asked for in the middle of a request. */
    byte[] classFile(int program, String internalName) {
        try {
            synchronized (out) {
                out.write('C');
                out.writeInt(program);
                text(out, internalName);
                out.flush();
                byte[] body = classes.take();
                return body.length == 0 ? null : body;
            }
        } catch (IOException | InterruptedException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private void answer(byte[] bytes) throws IOException {
        DataInputStream body = new DataInputStream(new ByteArrayInputStream(bytes));
        int number = body.readInt();
        if (body.readBoolean()) {
            // Not a witness: a program comes or goes.
            if (body.readBoolean()) programs.put(number, new Program(this, number, Rules.texts(body)));
            else programs.remove(number);
            return;
        }
        Request request = Request.read(body);
        Program program = programs.get(number);
        ProgramLoader loader = program.loader(request.fresh);
        restoreMachine();
        capture.clear();
        Reply reply = new Reply(rules, program);
        Witness witness = new Witness(request, loader);
        Thread.currentThread().setContextClassLoader(loader);
        try {
            witness.build();
            try {
                Object result = witness.call();
                reply.returned(result);
            } catch (Throwable thrown) {
                reply.threw(thrown);
            }
            if (reply.hasReturned() && !witness.holds(reply.result())) reply.postFailed();
            String wrong = witness.wrong();
            if (wrong != null) reply.refused(wrong);
        } catch (Impossible impossible) {
            reply.impossible(impossible.getMessage());
        } catch (Throwable thrown) {
            reply.impossible("the witness cannot be built: " + thrown);
        }
        stdout.flush();
        stderr.flush();
        // Looking at objects may load classes, and those are asked for: nothing of the answer is sent before all of it is known.
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        reply.write(new DataOutputStream(whole), capture, witness.objects());
        synchronized (out) {
            whole.writeTo(out);
        }
        // What it left in the program's classes is nothing for others.
        if (request.fresh) program.forgetLoader();
    }

    /** What one witness may have changed of the machine is as it was. */
    private void restoreMachine() {
        System.setOut(stdout);
        System.setErr(stderr);
        System.setIn(InputStream.nullInputStream());
        if (!properties.equals(System.getProperties())) System.setProperties((Properties) properties.clone());
        if (!Locale.getDefault().equals(Locale.US)) Locale.setDefault(Locale.US);
        if (!TimeZone.getDefault().getID().equals("UTC")) TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        Thread.interrupted();
    }

    static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readUnsignedShort()), StandardCharsets.UTF_8);
    }
}

/** A witness that no program can have: it cannot be judged. */
final class Impossible extends RuntimeException {
    Impossible(String why) {
        super(why, null, false, false);
    }
}
