package lazuli.suite;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Runs the tests of classes before they are handed to anybody: one line a test, {@code ok} or {@code failed}, the class, the
 * method, and why. It knows a test by the simple name of its annotation, and needs nothing else of JUnit.
 *
 * <p>Arguments: the order ({@code forwards} or {@code backwards}, because no test may depend on another), the seconds that one may
 * take, and the classes.
 */
public final class Trial {
    private Trial() { }

    public static void main(String[] args) throws Exception {
        PrintStream answers = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        long patience = Long.parseLong(args[1]) * 1_000;
        List<Method> tests = new ArrayList<>();
        for (int i = 2; i < args.length; i++) {
            Method[] methods = Class.forName(args[i]).getDeclaredMethods();
            for (Method method : methods) {
                boolean isTest = false;
                for (var annotation : method.getDeclaredAnnotations()) {
                    isTest |= annotation.annotationType().getSimpleName().equals("Test");
                }
                if (isTest) {
                    tests.add(method);
                }
            }
        }
        tests.sort(Comparator.comparing((Method test) -> test.getDeclaringClass().getName()).thenComparing(Method::getName));
        if (args[0].equals("backwards")) {
            Collections.reverse(tests);
        }
        for (Method test : tests) {
            String why = run(test, patience);
            String name = test.getDeclaringClass().getName() + "\t" + test.getName();
            answers.println(why == null ? "ok\t" + name : "failed\t" + name + "\t" + why.replaceAll("\\s+", " "));
            answers.flush();
        }
        // A test may have left threads behind.
        Runtime.getRuntime().halt(0);
    }

    /** Why a test fails, if it does. */
    private static String run(Method test, long patience) throws Exception {
        String[] why = {"it takes too long"};
        Thread thread = new Thread(() -> why[0] = outcome(test));
        thread.setDaemon(true);
        thread.start();
        thread.join(patience);
        return why[0];
    }

    private static String outcome(Method test) {
        try {
            Constructor<?> constructor = test.getDeclaringClass().getDeclaredConstructor();
            constructor.setAccessible(true);
            test.setAccessible(true);
            test.invoke(constructor.newInstance());
            return null;
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause());
        } catch (Throwable e) {
            return String.valueOf(e);
        }
    }
}
