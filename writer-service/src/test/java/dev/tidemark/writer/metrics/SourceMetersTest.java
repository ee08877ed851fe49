package dev.tidemark.writer.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.RowSource;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.outbox.SourceWatermarks;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.WriterStores;

import static dev.tidemark.writer.testkit.TestTables.MOVIES;
import static dev.tidemark.writer.testkit.TestTables.json;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class SourceMetersTest {
    private final ManualClock clock = new ManualClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Map<String, RowRules> rules = Map.of("movies", following(3));
    private final SourceWatermarks sources = new SourceWatermarks(
            () -> rules, WriterStores.on(new InMemoryDisk()).facts());
    private final WriterMeters meters = new WriterMeters(registry, clock);

    @BeforeEach
    void show() {
        meters.show(sources);
    }

    @Test
    void theAgeIsNotKnownBeforeTheFirstWatermarkAndGrowsWhileNoneComes() {
        assertThat(age()).isNaN();

        reach(clock.instant().minusSeconds(2));
        assertThat(age()).isEqualTo(2.0);

        clock.advance(Duration.ofSeconds(30));
        assertThat(age()).isEqualTo(32.0);

        clock.advance(Duration.ofNanos(1_900_000));
        assertThat(age()).as("no part of a millisecond is left out").isEqualTo(32.0019);
    }

    @Test
    void aWatermarkMayBeCenturiesOld() {
        reach(Instant.parse("1500-01-01T00:00:00Z"));

        assertThat(age()).isBetween(9e9, 1e10);
    }

    @Test
    void theAgeIsNotKnownWhereATableBeganToFollowSince() {
        reach(clock.instant());
        rules = Map.of("movies", following(4));

        assertThat(age()).isNaN();
    }

    @Test
    void aSourceThatNoTableFollowsHasNoAge() {
        rules = Map.of();
        meters.refresh();

        assertThat(registry.find("tidemark.source.watermark.age").gauges()).isEmpty();
    }

    private void reach(Instant watermark) {
        SourcePosition position =
                new SourcePosition(json("{}"), Optional.of(watermark), Map.of("movies", 3L), RowVersion.NONE);
        CommitPosition through = new CommitPosition(version(0), clock.instant());
        sources.committed(new FactBatch(List.of(), through, Map.of(), Map.of("shop", position)), Duration.ZERO);
    }

    private double age() {
        return registry.get("tidemark.source.watermark.age")
                .tag("source", "shop")
                .gauge()
                .value();
    }

    private static RowRules following(long since) {
        TableDefinition table = new TableDefinition(
                MOVIES.name(),
                MOVIES.primaryKey(),
                MOVIES.partitions(),
                MOVIES.indexes(),
                Optional.of(new RowSource("shop", "movies")));
        return new RowRules(table, List.of(), 1_000, since);
    }
}
