package dev.tidemark.worker.forecast;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.IndexChange;

/**
 * The forecast of one table: reads its topic into a sample, and derives forecasts from the sample. Belongs to one
 * thread.
 */
final class TableForecaster {
    /** Most memory that sampled rows take. */
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final DesiredTable table;
    private final List<IndexChange> changes;
    private final TopicReader reader;
    private final RowSample sample;
    private final Clock clock;
    private OptionalLong total = OptionalLong.empty();
    private long passed;
    private Instant heard = Instant.MIN;

    /** A table whose topic is not read yet. */
    TableForecaster(DesiredTable table, List<IndexChange> changes, double fraction, TopicReader reader, Clock clock) {
        this.table = table;
        this.changes = List.copyOf(changes);
        this.reader = reader;
        this.sample = new RowSample(table.name(), fraction, MOST_BYTES);
        this.clock = clock;
    }

    /**
     * Reads a piece from the beginning of the topic on, unless everything has been read.
     *
     * @throws IllegalStateException when nothing has come for long
     */
    void step() throws InterruptedException {
        if (total.isEmpty()) {
            total = OptionalLong.of(
                    reader.begin(table.name(), table.definition().partitions()));
            heard = clock.instant();
        }
        if (isRead()) {
            return;
        }
        TopicReader.Piece piece = reader.poll(POLL);
        piece.records().forEach(sample::add);
        if (piece.position() > passed) {
            passed = piece.position();
            heard = clock.instant();
        } else if (Duration.between(heard, clock.instant()).compareTo(SILENCE) > 0) {
            throw new IllegalStateException(
                    "expected the changes of table " + table.name() + " up to their end, but nothing came for "
                            + SILENCE.toSeconds() + " seconds, " + passed + " of " + total.getAsLong() + " passed");
        }
    }

    boolean isRead() {
        return passed >= total.orElse(Long.MAX_VALUE);
    }

    ForecastJob.Reading state() {
        return new ForecastJob.Reading(table.name(), passed, total.orElse(0));
    }

    TableForecast forecast(Function<DesiredTable, CostBasis> costs) {
        CostBasis basis = costs.apply(table);
        List<IndexForecast> indexes = changes.stream()
                .map(change -> {
                    IndexForecaster forecaster = new IndexForecaster(table.definition(), change);
                    sample.forEach(forecaster::row);
                    return forecaster.forecast(sample.fraction(), basis);
                })
                .toList();
        return new TableForecast(
                table.name(),
                Math.round(sample.live() / sample.fraction()),
                sample.fraction(),
                sample.unreadable(),
                basis.text(),
                indexes);
    }
}
