package dev.tidemark.deploy.bench.growth;

import java.time.Duration;
import java.util.List;

/**
 * How large a run is.
 *
 * @param rows of the table at each size, growing
 * @param changes that the worker catches up with, each round
 * @param rounds at each size
 * @param time of the queries, each round
 * @param soak how long to go on at the last size; zero for not at all
 */
public record GrowthSize(List<Integer> rows, int changes, int rounds, Duration time, Duration soak) {
    /** Something to look at. */
    public static final GrowthSize QUICK =
            new GrowthSize(List.of(20_000, 100_000), 50_000, 1, Duration.ofSeconds(2), Duration.ZERO);

    /**
     * A size.
     *
     * @throws IllegalArgumentException when there is nothing to measure
     */
    public GrowthSize {
        rows = List.copyOf(rows);
        boolean growing = !rows.isEmpty() && rows.get(0) >= 1;
        for (int i = 1; i < rows.size(); i++) {
            growing &= rows.get(i) > rows.get(i - 1);
        }
        if (!growing || changes < 1 || rounds < 1 || time.toSeconds() < 1) {
            throw new IllegalArgumentException(
                    "expected numbers of rows from 1 on that grow, changes and rounds of at least"
                            + " 1, and a time of at least 1 s, but got " + rows + ", " + changes + ", " + rounds
                            + " and "
                            + time.toMillis() + " ms");
        }
    }
}
