package dev.tidemark.deploy.bench.build;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.RoundSpread;

/** The same rows for every builder, and then the same index from each in turn, some times over. */
public final class BuildBench {
    private final List<IndexBuilder> builders;
    private final Consumer<String> progress;

    /** @param progress receives each finished step, as one line */
    public BuildBench(List<IndexBuilder> builders, Consumer<String> progress) {
        this.builders = List.copyOf(builders);
        this.progress = progress;
    }

    /**
     * Runs it all.
     *
     * @param rows how many rows there are, from 1
     * @param rounds how often each builds each shape, from 1
     * @return the seconds of the builds, by shape and then by name in the order of the builders
     */
    public Map<IndexShape, Map<String, RoundSpread>> run(int rows, int rounds)
            throws BenchException, InterruptedException {
        for (IndexBuilder builder : builders) {
            builder.load(IntStream.range(0, rows).mapToObj(CustomerRow::ofRow));
            progress.accept(String.format(Locale.ROOT, "%s has %,d rows", builder.name(), rows));
        }
        Map<IndexShape, Map<String, RoundSpread>> found = new EnumMap<>(IndexShape.class);
        for (IndexShape shape : IndexShape.values()) {
            found.put(shape, rounds(shape, rounds));
        }
        return found;
    }

    private Map<String, RoundSpread> rounds(IndexShape shape, int rounds) throws BenchException, InterruptedException {
        Map<String, List<Double>> seconds = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (IndexBuilder builder : builders) {
                Duration time = builder.build(shape);
                builder.drop();
                seconds.computeIfAbsent(builder.name(), name -> new ArrayList<>())
                        .add(time.toNanos() / 1e9);
                progress.accept(String.format(
                        Locale.ROOT,
                        "%s, round %d of %d: %s %.2f s",
                        shape.projection(),
                        round,
                        rounds,
                        builder.name(),
                        time.toNanos() / 1e9));
            }
        }
        Map<String, RoundSpread> spreads = new LinkedHashMap<>();
        seconds.forEach((name, all) -> spreads.put(name, RoundSpread.of(all)));
        return spreads;
    }
}
