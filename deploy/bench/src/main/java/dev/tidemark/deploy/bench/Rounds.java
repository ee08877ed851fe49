package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The results of rounds that count.
 *
 * @param byName a result for each round, by the name of the contender, in the order of the contenders
 */
public record Rounds(Map<String, List<Map<Figure, Double>>> byName) {
    /**
     * Runs rounds of several contenders in turn. The order turns round after each, so that no contender always follows
     * the same other one.
     *
     * @param title of the rounds in the progress lines
     * @param warmUps rounds before the others, which do not count
     * @param rounds that count, from 1
     * @param contenders by name
     * @param text a result in a progress line
     * @param progress receives each finished round of a contender, as one line
     */
    public static Rounds run(
            String title,
            int warmUps,
            int rounds,
            Map<String, Contender> contenders,
            Function<Map<Figure, Double>, String> text,
            Consumer<String> progress)
            throws Exception {
        Map<String, List<Map<Figure, Double>>> results = new LinkedHashMap<>();
        contenders.keySet().forEach(name -> results.put(name, new ArrayList<>()));
        List<Map.Entry<String, Contender>> turns = new ArrayList<>(contenders.entrySet());
        for (int round = 1 - warmUps; round <= rounds; round++) {
            String which = round < 1 ? "warming up" : "round " + round + " of " + rounds;
            for (Map.Entry<String, Contender> turn : turns) {
                Map<Figure, Double> result = turn.getValue().run();
                progress.accept(title + ", " + which + ": " + turn.getKey() + " " + text.apply(result));
                if (round > 0) {
                    results.computeIfAbsent(turn.getKey(), name -> new ArrayList<>())
                            .add(result);
                }
            }
            Collections.reverse(turns);
        }
        return new Rounds(results);
    }

    /** The results of one contender, which must have taken part. */
    List<Map<Figure, Double>> of(String name) {
        List<Map<Figure, Double>> rounds = byName.get(name);
        if (rounds == null) {
            throw new IllegalArgumentException("Expected rounds of " + name + " among " + byName.keySet());
        }
        return rounds;
    }

    /** One figure of one contender over those rounds that have it; empty where none has. */
    Optional<RoundSpread> known(String name, Figure figure) {
        List<Double> numbers = values(name, figure);
        return numbers.isEmpty() ? Optional.empty() : Optional.of(RoundSpread.of(numbers));
    }

    /** One figure of one contender in those rounds that have it. */
    List<Double> values(String name, Figure figure) {
        return of(name).stream()
                .flatMap(round -> Stream.ofNullable(round.get(figure)))
                .toList();
    }

    /** One figure of one contender, which must have it in each round. */
    RoundSpread spread(String name, Figure figure) {
        return RoundSpread.of(of(name), round -> round.getOrDefault(figure, Double.NaN));
    }
}
