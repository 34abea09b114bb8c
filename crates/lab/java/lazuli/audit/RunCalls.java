package lazuli.audit;

import com.sun.management.ThreadMXBean;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs the static methods named on the standard input ({@code CLASS.METHOD}, one a line; backwards if an argument says so) and prints a line for
 * each: its name, what it came to, the text that it returned or the class that it threw.
 */
public final class RunCalls {
    /** A call that takes longer waits for something. */
    private static final long PATIENCE_MS = 5_000;
    /** What a call that needs more memory would measure is how much there is. */
    private static final long MEMORY = 16 << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final PrintStream OUT = System.out;

    public static void main(String[] args) throws Exception {
        List<String> calls = new ArrayList<>();
        try (java.util.Scanner lines = new java.util.Scanner(System.in, "UTF-8")) {
            while (lines.hasNextLine()) calls.add(lines.nextLine());
        }
        if (args.length > 0 && args[0].equals("backwards")) Collections.reverse(calls);
        System.setIn(InputStream.nullInputStream());
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(System.out);
        int next = 0;
        while (next < calls.size()) {
            Worker worker = new Worker(calls, next);
            worker.start();
            next = worker.await();
        }
        OUT.flush();
        Runtime.getRuntime().halt(0);
    }

    /** Runs calls until the last, or until one hangs: then another goes on behind it. */
    private static final class Worker extends Thread {
        private final List<String> calls;
        private int at;
        private long begun = System.nanoTime();
        private boolean abandoned;

        Worker(List<String> calls, int at) {
            this.calls = calls;
            this.at = at;
            setDaemon(true);
        }

        synchronized int await() throws InterruptedException {
            while (at < calls.size()) {
                long left = PATIENCE_MS - (System.nanoTime() - begun) / 1_000_000;
                if (left <= 0) {
                    abandoned = true;
                    OUT.println(calls.get(at) + "\thangs\t");
                    return at + 1;
                }
                wait(left);
            }
            return at;
        }

        @Override
        public void run() {
            for (int i = at; i < calls.size(); i++) {
                String answer = answer(calls.get(i));
                synchronized (this) {
                    if (abandoned) return;
                    OUT.println(calls.get(i) + "\t" + answer);
                    at = i + 1;
                    begun = System.nanoTime();
                    notify();
                }
            }
        }
    }

    private static String answer(String call) {
        int dot = call.lastIndexOf('.');
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        String answer;
        try {
            Method method = Class.forName(call.substring(0, dot)).getMethod(call.substring(dot + 1));
            answer = "returned\t" + quote((String) method.invoke(null));
        } catch (InvocationTargetException e) {
            answer = "threw\t" + e.getCause().getClass().getName();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
        long allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        return allocated > MEMORY || answer.equals("threw\tjava.lang.OutOfMemoryError") ? "large\t" : answer;
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case '"', '\\' -> quoted.append('\\').append(c);
                default -> {
                    if (c >= ' ' && c <= '~') quoted.append(c);
                    else quoted.append(String.format("\\u%04x", (int) c));
                }
            }
        }
        return quoted.append('"').toString();
    }
}
