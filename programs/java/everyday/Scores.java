package everyday;

import java.util.List;

/** The best of some scores, in a list of numbers. */
public class Scores {
    static int best(int first, int second) {
        List<Integer> scores = List.of(first, second);
        int best = 0;
        for (int score : scores) {
            if (score > best) {
                best = score;
            }
        }
        return best;
    }
}
