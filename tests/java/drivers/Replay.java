import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.sosy_lab.sv_benchmarks.Verifier;

/** Runs drivers with given inputs: a method and its inputs a line, one answer a line. */
public class Replay {
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            String[] words = line.split(" ");
            Verifier.given = new ArrayDeque<>(Arrays.asList(words).subList(1, words.length));
            System.out.println(run(words[0]));
        }
    }

    private static String run(String method) throws Exception {
        try {
            Unknowns.class.getMethod(method).invoke(null);
            return "returned";
        } catch (InvocationTargetException e) {
            return "threw " + e.getCause().getClass().getName();
        }
    }
}
