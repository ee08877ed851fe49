package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Rounds of several contenders in turn.
 *
 * @param title of the rounds in the progress lines
 * @param warmUps rounds before the others, which do not count
 * @param rounds that count, from 1
 * @param order of the contenders
 * @param progress receives each finished round of a contender, as one line
 */
public record Rounds(String title, int warmUps, int rounds, Order order, Consumer<String> progress) {
    /** The order of the contenders. */
    public enum Order {
        /** The same in every round. */
        FIXED,
        /** Reversed after each round, so that no contender always follows the same other one. */
        ALTERNATING
    }

    /**
     * Runs all rounds.
     *
     * @param text a result in a progress line
     * @return the results that count, by the name of the contender, in the order of the contenders
     */
    public <T> Map<String, List<T>> run(List<Contender<T>> contenders, Function<T, String> text) throws Exception {
        Map<String, List<T>> results = new LinkedHashMap<>();
        contenders.forEach(contender -> results.put(contender.name(), new ArrayList<>()));
        List<Contender<T>> turns = new ArrayList<>(contenders);
        for (int round = 1 - warmUps; round <= rounds; round++) {
            for (Contender<T> contender : turns) {
                T result = contender.turn().run();
                progress.accept(title + ", " + (round < 1 ? "warming up" : "round " + round + " of " + rounds) + ": "
                        + contender.name() + " " + text.apply(result));
                if (round > 0) {
                    results.computeIfAbsent(contender.name(), name -> new ArrayList<>())
                            .add(result);
                }
            }
            if (order == Order.ALTERNATING) {
                Collections.reverse(turns);
            }
        }
        return results;
    }

    /** The same for results that are one number. */
    public Map<String, RoundSpread> spreads(List<Contender<Double>> contenders, Function<Double, String> text)
            throws Exception {
        Map<String, RoundSpread> spreads = new LinkedHashMap<>();
        run(contenders, text).forEach((name, numbers) -> spreads.put(name, RoundSpread.of(numbers)));
        return spreads;
    }
}
