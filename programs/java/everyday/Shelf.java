package everyday;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedList;
import java.util.Optional;

/** What the library decides is told about the inputs. */
class Shelf {
    enum Kind { BOOK, GAME, MAP }

    static Optional<Integer> next(Optional<Integer> number) {
        return number.map(n -> n + 1);
    }

    static int pages(int[] books) {
        return Arrays.stream(books).sum();
    }

    static Integer first(LinkedList<Integer> numbers) {
        return numbers.getFirst();
    }

    static Integer at(ArrayList<Integer> numbers, int place) {
        return numbers.get(place);
    }

    static boolean isKept(Integer five, String word, Optional<Integer> none) {
        return five == (Integer) 5 && word == "kept" && none == Optional.<Integer>empty();
    }

    static boolean hasBooks(EnumSet<Kind> kinds) {
        return kinds.contains(Kind.BOOK);
    }
}
