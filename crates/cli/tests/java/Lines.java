import java.io.File;
import java.io.IOException;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.ILine;
import org.jacoco.core.analysis.ISourceFileCoverage;
import org.jacoco.core.tools.ExecFileLoader;

/** What JaCoCo itself counts: for every line its instructions and branches, missed and covered. */
public final class Lines {
    private Lines() {}

    /** The file that JaCoCo's agent has written, and the directory of the classes. */
    public static void main(String[] args) throws IOException {
        ExecFileLoader executed = new ExecFileLoader();
        executed.load(new File(args[0]));
        CoverageBuilder counted = new CoverageBuilder();
        new Analyzer(executed.getExecutionDataStore(), counted).analyzeAll(new File(args[1]));
        for (ISourceFileCoverage source : counted.getSourceFiles()) {
            for (int line = source.getFirstLine(); line >= 0 && line <= source.getLastLine(); line++) {
                ILine count = source.getLine(line);
                if (count.getInstructionCounter().getTotalCount() > 0) {
                    System.out.printf("%s:%d %d %d %d %d%n", source.getName(), line,
                            count.getInstructionCounter().getMissedCount(), count.getInstructionCounter().getCoveredCount(),
                            count.getBranchCounter().getMissedCount(), count.getBranchCounter().getCoveredCount());
                }
            }
        }
    }
}
