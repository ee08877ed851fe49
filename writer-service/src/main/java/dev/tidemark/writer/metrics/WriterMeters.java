package dev.tidemark.writer.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.lag.FreshnessWatch;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.RelayState;
import dev.tidemark.writer.outbox.RelayStatus;
import dev.tidemark.writer.outbox.SourceWatermarks;

/** The meters of a writer. Names and tags are public; see {@code docs/metrics.md}. */
public final class WriterMeters implements Committer.Listener {
    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRegistry registry;
    private final Clock clock;
    private final Timer commitTime;
    private final Timer commitWait;
    private final DistributionSummary groupSize;
    private final Map<Rows, Counter> committedRows = new ConcurrentHashMap<>();

    /** What has to be done before a scrape, because series come and go. */
    private final List<Runnable> refreshed = new ArrayList<>();

    private record Rows(String table, String operation) {}

    public WriterMeters(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
        this.commitTime = timer("tidemark.commit.time", "Time from planning a group of writes to its being on disk.");
        this.commitWait = timer(
                "tidemark.commit.wait", "Time that a request waited for the committer, until it got its commit time.");
        this.groupSize = DistributionSummary.builder("tidemark.commit.changes")
                .description("Changes that shared one commit.")
                .serviceLevelObjectives(1, 10, 100, 1_000)
                .register(registry);
    }

    private Timer timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(Stream.of(1, 5, 20, 100, 500, 2_000)
                        .map(Duration::ofMillis)
                        .toArray(Duration[]::new))
                .register(registry);
    }

    @Override
    public void committed(FactBatch batch, Duration took) {
        commitTime.record(took);
        groupSize.record(batch.changes().size());
        for (CommittedChange change : batch.changes()) {
            committedRows(change.table(), operation(change.event())).increment();
        }
    }

    @Override
    public void waited(Duration time) {
        commitWait.record(time);
    }

    /** Shows a table from the start, so that its meters are there before its first write. */
    public void show(TableDefinition table, Backlog backlog) {
        for (String operation : new String[] {"insert", "update", "delete"}) {
            committedRows(table.name(), operation);
        }
        Gauge.builder("tidemark.outbox.pending.records", backlog, b -> b.records(table.name()))
                .description("Changes that are committed and not yet acknowledged by the log.")
                .tag("table", table.name())
                .register(registry);
        Gauge.builder("tidemark.outbox.oldest.age", backlog, b -> age(b, table.name()))
                .description("Age of the oldest change that is not yet acknowledged by the log; 0 where there is none.")
                .baseUnit("seconds")
                .tag("table", table.name())
                .register(registry);
    }

    /** Shows how far the outbox is filled, and by bytes alone, which with large rows reach their bound first. */
    public void show(Backlog backlog) {
        gauge(
                "tidemark.outbox.fill.ratio",
                "How full the outbox is by records or by bytes, the larger of both; at 1 writes are refused.",
                backlog,
                Backlog::fill);
        Gauge.builder("tidemark.outbox.pending", backlog, Backlog::bytes)
                .description("Bytes of the changes that are committed and not yet acknowledged by the log.")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("tidemark.outbox.bound", backlog, Backlog::mostBytes)
                .description("Bytes of such changes at which writes are refused.")
                .baseUnit("bytes")
                .register(registry);
    }

    /** Shows what waits for the committer. */
    public void show(Committer committer) {
        gauge(
                "tidemark.commit.queue.requests",
                "Requests that wait to be committed.",
                committer,
                Committer::queuedRequests);
        gauge(
                "tidemark.commit.queue.bytes",
                "Bytes of the requests that wait or are being committed.",
                committer,
                Committer::queuedBytes);
        gauge(
                "tidemark.fact.epoch",
                "One more each time that the fact tables were found to have gone back in time.",
                committer,
                c -> c.frontier().version().epoch());
    }

    /** Shows what the relay is doing: 1 for the phase it is in. */
    public void show(RelayStatus relay) {
        for (RelayState.Phase phase : RelayState.Phase.values()) {
            Gauge.builder("tidemark.relay.state", relay, r -> r.state().phase() == phase ? 1 : 0)
                    .description("What the relay is doing: 1 for the state it is in, 0 for the others.")
                    .tag("state", phase.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    /**
     * Shows how fresh the indexes are by the workers' progress. The series of an index are there while it is defined.
     *
     * @param inForce gives the definitions as people write them
     */
    public void show(FreshnessWatch watch, Supplier<Definitions> inForce) {
        refreshed.add(watch::look);
        ages(
                "tidemark.index.freshness",
                "How stale an answer of the index can be, by the notes of the workers; NaN while they have left none.",
                () -> inForce.get().tables().stream()
                        .flatMap(table -> table.indexes().stream()
                                .map(index -> age(
                                        Tags.of("table", table.name(), "index", index.name()),
                                        () -> watch.freshness(watch.answering(table.definition(), index))))));
    }

    /**
     * Shows how far behind their sources the fact tables may be. The series of a source is there while a table follows
     * it.
     */
    public void show(SourceWatermarks sources) {
        ages(
                "tidemark.source.watermark.age",
                "Time since the watermark of a source: what it committed later may be missing in the fact tables; NaN"
                        + " while none is known.",
                () -> sources.names().stream()
                        .map(name -> age(
                                Tags.of("source", name),
                                () -> sources.watermark(name)
                                        .map(watermark -> Duration.between(watermark, clock.instant())))));
    }

    /** Brings series that come and go in line with what is defined now. To be called before each scrape. */
    public void refresh() {
        refreshed.forEach(Runnable::run);
    }

    private void ages(String name, String description, Supplier<Stream<Row<?>>> rows) {
        MultiGauge ages = MultiGauge.builder(name)
                .description(description)
                .baseUnit("seconds")
                .register(registry);
        Runnable series = () -> ages.register(rows.get().toList(), true);
        series.run();
        refreshed.add(series);
    }

    private static Row<?> age(Tags tags, Supplier<Optional<Duration>> age) {
        return Row.of(
                tags,
                () -> age.get()
                        .map(known -> TimeUnit.NANOSECONDS.convert(known) / NANOS_PER_SECOND)
                        .orElse(Double.NaN));
    }

    private <T> void gauge(String name, String description, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).description(description).register(registry);
    }

    /** Looked up in the registry once: that takes longer than the rest of a small commit. */
    private Counter committedRows(String table, String operation) {
        return committedRows.computeIfAbsent(
                new Rows(table, operation),
                rows -> Counter.builder("tidemark.rows.committed")
                        .description("Row changes that are on disk.")
                        .tags(Tags.of("table", rows.table(), "op", rows.operation()))
                        .register(registry));
    }

    private double age(Backlog backlog, String table) {
        return backlog.oldest(table).map(this::secondsSince).orElse(0.0);
    }

    private double secondsSince(Instant time) {
        return Math.max(0, Duration.between(time, clock.instant()).toNanos() / NANOS_PER_SECOND);
    }

    private static String operation(ChangeEvent event) {
        if (event instanceof ChangeEvent.Upserted upserted) {
            return upserted.operation() == UpsertKind.CREATE ? "insert" : "update";
        }
        return "delete";
    }
}
