import java.lang.instrument.Instrumentation;
import org.jacoco.agent.rt.RT;

/** An agent beside JaCoCo's: writes what that has counted again and again, because the machine may be ended without notice. */
public final class Dump {
    private Dump() {}

    public static void premain(String args, Instrumentation machine) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Thread.sleep(50);
                    RT.getAgent().dump(false);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
