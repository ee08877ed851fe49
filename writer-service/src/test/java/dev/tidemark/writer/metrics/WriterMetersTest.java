package dev.tidemark.writer.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.progress.Progress;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.lag.FreshnessWatch;
import dev.tidemark.writer.lag.WorkerProgressReader;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.BacklogLimits;
import dev.tidemark.writer.outbox.RelayStatus;

import static dev.tidemark.writer.testkit.TestTables.CATALOG;
import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.MOVIES;
import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.delete;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

/** Names are public: these are the ones that users scrape. */
class WriterMetersTest {
    private static final String BY_TOWN = "tidemark_index_freshness_seconds{index=\"by_town\",table=\"customers\"} ";
    private final ManualClock clock = new ManualClock(timeOf(1).plusSeconds(4));
    private final ServiceMeters service = new ServiceMeters();
    private final WriterMeters meters = new WriterMeters(service.registry(), clock);
    private final Backlog backlog = new Backlog(new BacklogLimits(10, 10_000));

    /** Gauges do not keep what they show. */
    private final RelayStatus relay = new RelayStatus();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void timesHowLongRequestsWaitForTheCommitter() {
        meters.waited(Duration.ofMillis(3));

        assertThat(service.scrape())
                .contains("tidemark_commit_wait_seconds_bucket{le=\"0.001\"} 0")
                .contains("tidemark_commit_wait_seconds_bucket{le=\"0.005\"} 1")
                .contains("tidemark_commit_wait_seconds_sum 0.003");
    }

    @Test
    void countsCommittedRowsByTableAndOperation() {
        CATALOG.tables().forEach(table -> meters.show(table, backlog));

        meters.committed(batch(put(1, 1, "a"), put(2, 2, "b"), delete(3, 1)), Duration.ofMillis(3));

        assertThat(service.scrape())
                .contains("tidemark_rows_committed_total{op=\"insert\",table=\"customers\"} 2.0")
                .contains("tidemark_rows_committed_total{op=\"delete\",table=\"customers\"} 1.0")
                .contains("tidemark_rows_committed_total{op=\"update\",table=\"movies\"} 0.0")
                .contains("tidemark_commit_time_seconds_count 1")
                .contains("tidemark_commit_changes_sum 3.0");
    }

    @Test
    void looksACounterUpOnlyOnce() {
        meters.show(CUSTOMERS, backlog);
        Counter inserts = service.registry()
                .get("tidemark.rows.committed")
                .tags("table", "customers", "op", "insert")
                .counter();
        service.registry().clear();

        meters.committed(batch(put(1, 1, "a"), put(2, 2, "b")), Duration.ofMillis(3));

        assertThat(inserts.count()).isEqualTo(2);
        assertThat(service.registry().find("tidemark.rows.committed").counters())
                .isEmpty();
    }

    @Test
    void showsWhatWaitsInTheOutbox() {
        meters.show(CUSTOMERS, backlog);
        meters.show(backlog);
        FactBatch batch = batch(put(1, 1, "a"), put(2, 2, "b"));
        backlog.committed(batch, Duration.ZERO);
        long bytes = batch.changes().stream().mapToLong(CommittedChange::bytes).sum();

        assertThat(service.scrape())
                .contains("tidemark_outbox_pending_bytes " + bytes + ".0")
                .contains("tidemark_outbox_bound_bytes 10000.0")
                .contains("tidemark_outbox_fill_ratio 0.2")
                .contains("tidemark_outbox_pending_records{table=\"customers\"} 2.0")
                .contains("tidemark_outbox_oldest_age_seconds{table=\"customers\"} 4.0");

        clock.advance(Duration.ofNanos(1_900_000));
        assertThat(service.scrape()).contains("tidemark_outbox_oldest_age_seconds{table=\"customers\"} 4.0019");
    }

    @Test
    void showsTheFreshnessThatTheNotesTell() throws InterruptedException {
        AtomicReference<Definitions> inForce = new AtomicReference<>(Definitions.first(CATALOG, clock.instant()));
        FreshnessWatch watch = new FreshnessWatch(() -> notes(CUSTOMERS, 2), () -> 1, clock, new WakeupSignal());
        meters.show(watch, inForce::get);
        assertThat(service.scrape())
                .contains("tidemark_index_freshness_seconds{index=\"by_town\",table=\"customers\"} NaN");

        watch.agent().doWork();

        assertThat(service.scrape())
                .contains("tidemark_index_freshness_seconds{index=\"by_town\",table=\"customers\"} 2.0");

        clock.advance(Duration.ofNanos(1_900_000));
        assertThat(service.scrape())
                .contains("tidemark_index_freshness_seconds{index=\"by_town\",table=\"customers\"} 2.0019");

        inForce.set(Definitions.first(new Catalog(List.of(MOVIES)), clock.instant()));
        meters.refresh();

        assertThat(service.scrape()).doesNotContain("by_town");
    }

    @Test
    void theFreshnessOfAGlobalIndexIsThatOfItsPartitionsAndNotOfItsTable() throws Exception {
        Definitions global = Definitions.first(
                CatalogReader.read(
                        "global",
                        "tables: {customers: {primaryKey: customerId, partitions: 4, indexes: {"
                                + "by_town: {key: [town], projection: all, scope: global, partitions: 2}}}}"),
                clock.instant());
        TableDefinition derived = global.layout().tables().stream()
                .skip(1)
                .findFirst()
                .orElseThrow()
                .definition();
        FreshnessWatch watch = new FreshnessWatch(
                () -> Stream.concat(notes(CUSTOMERS, 2).stream(), notes(derived, 30).stream())
                        .toList(),
                () -> 1,
                clock,
                new WakeupSignal());
        meters.show(watch, () -> global);
        watch.agent().doWork();

        assertThat(service.scrape())
                .contains("tidemark_index_freshness_seconds{index=\"by_town\",table=\"customers\"} 30.0");
    }

    @Test
    void theFreshnessOfAnIndexThatMovesIsThatOfTheGenerationThatAnswers() throws Exception {
        Definitions first = Definitions.first(CATALOG, clock.instant());
        Definitions grown = first.changed(
                CatalogReader.read(
                        "grown",
                        "tables: {customers: {primaryKey: customerId, partitions: 8, indexes: {"
                                + "by_town: {key: [town], projection: all}}}, movies: {primaryKey: [title, year]}}"),
                clock.instant());
        DesiredIndex index = grown.index("customers", "by_town").orElseThrow();
        TableDefinition layout = index.current().home(CUSTOMERS);
        Long old = first.index("customers", "by_town").orElseThrow().current().id();
        List<WorkerProgressReader.Noted> noted = new ArrayList<>(notes(CUSTOMERS, 40, old));
        FreshnessWatch watch = new FreshnessWatch(() -> List.copyOf(noted), () -> 1, clock, new WakeupSignal());
        meters.show(watch, () -> grown);
        watch.agent().doWork();
        assertThat(service.scrape()).as("the layout is being filled").contains(BY_TOWN + "40.0");

        noted.addAll(notes(layout, 1));
        clock.advance(Duration.ofSeconds(1));
        watch.agent().doWork();
        assertThat(service.scrape())
                .as("the layout is filled, and not verified")
                .contains(BY_TOWN + "41.0");

        noted.removeAll(notes(layout, 2));
        noted.addAll(notes(layout, 1, index.current().id()));
        clock.advance(Duration.ofSeconds(1));
        watch.agent().doWork();
        assertThat(service.scrape()).as("the layout answers").contains(BY_TOWN + "2.0");
    }

    private List<WorkerProgressReader.Noted> notes(TableDefinition table, long secondsAgo, Long... answering) {
        Progress progress = new Progress(clock.instant().minusSeconds(secondsAgo), version(1));
        return IntStream.range(0, table.partitions())
                .mapToObj(partition -> new WorkerProgressReader.Noted(
                        "a", true, table.name(), partition, Optional.of(progress), Set.of(answering)))
                .toList();
    }

    @Test
    void showsTheStateOfTheRelay() {
        meters.show(relay);

        assertThat(service.scrape())
                .contains("tidemark_relay_state{state=\"preparing\"} 1.0")
                .contains("tidemark_relay_state{state=\"running\"} 0.0");
    }

    @Test
    void everyMeterHasADescription() {
        CATALOG.tables().forEach(table -> meters.show(table, backlog));
        meters.show(relay);

        assertThat(service.registry().getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().getDescription())
                        .as(meter.getId().getName())
                        .isNotBlank());
    }
}
