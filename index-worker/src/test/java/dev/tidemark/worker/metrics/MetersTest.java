package dev.tidemark.worker.metrics;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.worker.apply.ApplyCounts;
import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.lag.EndOffsets;
import dev.tidemark.worker.lag.LagSampler;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.shard.CopyProgress;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.PlacedPeople;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.TestLatencies;
import dev.tidemark.worker.testkit.WorkerFixture;
import dev.tidemark.worker.verify.VerifyTotals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class MetersTest {
    private static final ShardId ID = new ShardId("films", 0);
    private static final String PEOPLE_ETA = "tidemark_catch_up_eta_seconds{table=\"people\"} ";

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final ServiceMeters meters = new ServiceMeters();
    private final WorkerMeters applied = new WorkerMeters(meters, fixture::definitions);
    private final WorkerGauges gauges = new WorkerGauges(
            meters.registry(),
            fixture::definitions,
            fixture.lag(),
            new Visibility(fixture.clock()),
            new BuildMeter(fixture.shards(), fixture.clock()),
            new VerifyTotals());

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void showsEveryNameOfTheContractWithHelp() {
        follow();
        for (String name : List.of(
                "tidemark_index_freshness_seconds",
                "tidemark_index_lag_seconds",
                "tidemark_index_lag_records",
                "tidemark_visibility_seconds",
                "tidemark_stage_seconds",
                "tidemark_index_state",
                "tidemark_index_entries",
                "tidemark_events_applied_total")) {
            assertThat(scrape()).contains("# HELP " + name + " ");
        }
    }

    @Test
    void theFreshnessOfAnIndexThatMovesIsThatOfTheGenerationThatAnswers() {
        String byTown = "tidemark_index_freshness_seconds{index=\"by_town\",table=\"people\"} ";
        PlacedPeople people = new PlacedPeople(fixture);
        fixture.define(Definitions.first(PlacedPeople.withLocalTowns(), ChangeLog.START));
        people.openAll().put(1, 1, "Oslo").heartbeat(50);
        assertThat(scrape()).contains(byTown + "50.0");

        fixture.define(fixture.definitions().changed(PlacedPeople.catalog(), ChangeLog.START));
        assertThat(scrape())
                .as("others may have the shards of the new generation, and answer from them")
                .contains(byTown + "NaN");
        people.openAll();
        assertThat(scrape()).as("it is being filled").contains(byTown + "50.0");
        fixture.lag().answeredElsewhere((shard, generation) -> true);
        assertThat(scrape())
                .as("another replica group answers from it, and may be further behind")
                .contains(byTown + "NaN");
        fixture.lag().answeredElsewhere((shard, generation) -> false);
        people.heartbeat(97, people.shard("by_town", 0)).heartbeat(97, people.shard("by_town", 1));
        assertThat(scrape()).as("one partition lacks it").contains(byTown + "50.0");
        people.heartbeat(97, people.shard("by_town", 2));
        assertThat(scrape()).as("it answers").contains(byTown + "3.0");
    }

    @Test
    void theStateOfAnIndexThatMovesIsThatOfTheGenerationThatAnswers() {
        String byTown = "tidemark_index_state{index=\"by_town\",state=\"%s\",table=\"people\"} 1.0";
        PlacedPeople people = new PlacedPeople(fixture.withoutProofs());
        fixture.define(Definitions.first(PlacedPeople.withLocalTowns(), ChangeLog.START));
        people.openAll().put(1, 1, "Oslo").heartbeat(98);
        fixture.proveAll();
        fixture.define(fixture.definitions().changed(PlacedPeople.catalog(), ChangeLog.START));
        people.openAll();
        assertThat(scrape()).as("the new one is being filled").contains(byTown.formatted("steady"));

        fixture.clock().advance(Duration.ofSeconds(10));
        for (int partition = 0; partition < 3; partition++) {
            people.heartbeat(109, people.shard("by_town", partition));
        }
        assertThat(scrape())
                .as("the new one is not verified, and the one before is silent")
                .contains(byTown.formatted("unknown"));
        fixture.proveAll();
        assertThat(scrape()).as("the new one answers").contains(byTown.formatted("steady"));
    }

    @Test
    void countsEventsByWhatBecameOfThem() {
        applied.applied(ID, new ApplyCounts(3, 2, 1));
        assertThat(scrape())
                .contains("tidemark_events_applied_total{result=\"applied\",table=\"films\"} 3.0")
                .contains("tidemark_events_applied_total{result=\"stale\",table=\"films\"} 2.0")
                .contains("tidemark_events_applied_total{result=\"quarantined\",table=\"films\"} 1.0")
                .contains("tidemark_events_applied_total{result=\"applied\",table=\"people\"} 0.0");
    }

    @Test
    void countsTheShardsThatAreTakenAndTheirBytes() {
        List<String> meanwhile = new ArrayList<>();
        CopyProgress far = new CopyProgress(URI.create("http://other:8082"), 12, 80);
        fixture.copies().copying(ID, far, () -> meanwhile.add(scrape()));
        fixture.open(ID);

        assertThat(meanwhile)
                .singleElement()
                .asString()
                .contains("tidemark_shards_copying{table=\"films\"} 1.0\n")
                .contains("tidemark_shards_copying{table=\"people\"} 0.0\n")
                .contains("tidemark_copy_bytes_total{table=\"films\"} 12.0\n")
                .contains("tidemark_copy_bytes_total{table=\"people\"} 0.0\n");
        assertThat(scrape()).contains("tidemark_shards_copying{table=\"films\"} 0.0\n");
    }

    @Test
    void aCopyForAGlobalIndexIsOneOfItsTable() {
        fixture.define(Definitions.first(PlacedPeople.catalog(), ChangeLog.START));
        ShardId shard = new PlacedPeople(fixture).shard("by_town", 1);
        List<String> meanwhile = new ArrayList<>();
        CopyProgress far = new CopyProgress(URI.create("http://other:8082"), 12, 80);
        fixture.copies().copying(shard, far, () -> meanwhile.add(scrape()));
        fixture.open(shard);

        assertThat(meanwhile)
                .singleElement()
                .asString()
                .contains("tidemark_shards_copying{table=\"people\"} 1.0\n")
                .contains("tidemark_copy_bytes_total{table=\"people\"} 12.0\n");
    }

    @Test
    void showsAgesOfCenturies() {
        follow();
        OpenShard shard = fixture.open(new ShardId("people", 0));
        ChangeLog log = new ChangeLog(Tables.people());
        log.add(new Heartbeat(Instant.parse("1500-01-01T00:00:00Z"), ChangeLog.version(1)));
        fixture.deliver(shard, Objects.requireNonNull(shard.takeStart()).reading(), log.take());
        gauges.refresh();

        applied.sourceAge(ID, Duration.ofDays(700_000));
        applied.sourceAge(ID, Duration.ofDays(-700_000));

        assertThat(scrape()).contains("9.223372036854776E9");
    }

    @Test
    void timesVisibilityInBuckets() {
        applied.visible(ID, new TestLatencies().and(1, 1, 2, 1, 1, 2).all());
        assertThat(scrape())
                .contains("tidemark_visibility_seconds_bucket{index=\"by_year\",table=\"films\",le=\"0.005\"} 0")
                .contains("tidemark_visibility_seconds_bucket{index=\"by_year\",table=\"films\",le=\"0.01\"} 1")
                .contains("tidemark_visibility_seconds_count{index=\"by_actor\",table=\"films\"} 1");
    }

    @Test
    void theStagesOfATableAddUpToItsVisibility() {
        applied.visible(
                ID,
                new TestLatencies()
                        .and(3, 1, 2, 40, 5, 2)
                        .and(2, 10, 20, 30, 0, 40)
                        .all());
        String page = scrape();
        double stages = 0;
        for (Stage stage : Stage.values()) {
            String labels = "{stage=\"" + stage.label() + "\",table=\"films\"} ";
            assertThat(page).contains("tidemark_stage_seconds_count" + labels + "5\n");
            stages += value(page, "tidemark_stage_seconds_sum" + labels);
        }
        assertThat(stages).isCloseTo(0.35, within(1e-9));
        for (String index : List.of("by_year", "by_actor")) {
            String labels = "{index=\"" + index + "\",table=\"films\"} ";
            assertThat(page).contains("tidemark_visibility_seconds_count" + labels + "5\n");
            assertThat(value(page, "tidemark_visibility_seconds_sum" + labels)).isCloseTo(0.35, within(1e-9));
        }
        assertThat(page).contains("tidemark_stage_seconds_bucket{stage=\"apply\",table=\"films\",le=\"0.0025\"} 3\n");
    }

    @Test
    void showsThePaceOfATableAndNotANumberWhileItIsNotKnown() {
        for (String name :
                List.of("tidemark_table_arrival_rate", "tidemark_table_apply_rate", "tidemark_catch_up_eta_seconds")) {
            assertThat(scrape()).contains("# HELP " + name + " ", name + "{table=\"films\"} NaN\n");
        }
        follow();
        fixture.pause(Tables.films());
        LagSampler sampling = new LagSampler(
                fixture.lag(),
                ids -> new EndOffsets.Ends(
                        Map.of(
                                ID,
                                10
                                        + Duration.between(
                                                        ChangeLog.at(100),
                                                        fixture.clock().instant())
                                                .toSeconds()),
                        Map.of()),
                fixture.clock());
        for (int second = 0; second < 4; second++) {
            sampling.run();
            fixture.clock().advance(Duration.ofSeconds(1));
        }
        assertThat(scrape())
                .contains("tidemark_table_arrival_rate{table=\"films\"} 1.0\n")
                .contains("tidemark_table_apply_rate{table=\"films\"} 0.0\n")
                .contains("tidemark_catch_up_eta_seconds{table=\"films\"} +Inf\n");
    }

    @Test
    void theTimeToCatchUpIsThatOfTheLastShardOfATableAndOfItsGlobalIndexes() {
        fixture.define(Definitions.first(PlacedPeople.catalog(), ChangeLog.START));
        PlacedPeople people = new PlacedPeople(fixture).openAll().heartbeat(90);
        assertThat(scrape()).contains(PEOPLE_ETA + "NaN\n");

        ShardId late = people.shard("by_town", 1);
        sample(late, 1);
        fixture.clock().advance(Duration.ofSeconds(2));
        sample(late, 21);
        assertThat(scrape()).as("nothing is applied").contains(PEOPLE_ETA + "+Inf\n");

        fixture.clock().advance(Duration.ofSeconds(2));
        for (int applied = 0; applied < 10; applied++) {
            people.log(late).heartbeat(91);
        }
        people.deliver();
        sample(late, 21);
        fixture.clock().advance(Duration.ofSeconds(2));
        sample(late, 21);
        assertThat(scrape()).as("10 at 2.5 a second").contains(PEOPLE_ETA + "4.0\n");
    }

    @Test
    void aTableIsNotLateBecauseOneOfItsGlobalIndexesIsBeingFilled() {
        fixture.define(Definitions.first(PlacedPeople.withLocalTowns(), ChangeLog.START));
        PlacedPeople people = new PlacedPeople(fixture).openAll().heartbeat(90);
        fixture.define(fixture.definitions().changed(PlacedPeople.catalog(), ChangeLog.START));
        people.openAll();
        ShardId filled = people.shard("by_town", 1);

        sample(filled, 0);
        fixture.clock().advance(Duration.ofSeconds(2));
        sample(filled, 20);

        assertThat(scrape()).contains(PEOPLE_ETA + "NaN\n");
    }

    @Test
    void showsNothingRatherThanZeroForWhatIsNotKnown() {
        assertThat(scrape())
                .contains("tidemark_index_freshness_seconds{index=\"by_town\",table=\"people\"} NaN")
                .contains("tidemark_index_entries{index=\"by_town\",table=\"people\"} NaN")
                .contains("tidemark_index_state{index=\"by_town\",state=\"unknown\",table=\"people\"} 1.0")
                .contains("tidemark_index_state{index=\"by_town\",state=\"steady\",table=\"people\"} 0.0");
    }

    @Test
    void theEntriesOfAnIndexAreNotKnownBeforeEachShardHereWasOpened() {
        String entries = "tidemark_index_entries{index=\"by_town\",table=\"people\"} ";
        fixture.open(new ShardId("people", 0));
        assertThat(scrape()).contains(entries + "0.0");

        fixture.shards().assign(new ShardId("people", 1));
        assertThat(scrape()).contains(entries + "NaN");

        fixture.run();
        assertThat(scrape()).contains(entries + "0.0");
    }

    @Test
    void theStateOfAnIndexIsThatOfThePartitionsThatAreHere() {
        follow(new ShardId("people", 2), Tables.people());

        assertThat(scrape())
                .contains("tidemark_index_freshness_seconds{index=\"by_town\",table=\"people\"} NaN")
                .contains("tidemark_index_state{index=\"by_town\",state=\"steady\",table=\"people\"} 1.0")
                .contains("tidemark_index_state{index=\"by_town\",state=\"unknown\",table=\"people\"} 0.0")
                .contains("tidemark_index_lifecycle_state{index=\"by_town\",state=\"ready\",table=\"people\"} 1.0");
    }

    @Test
    void freshnessGrowsBetweenScrapes() {
        follow();
        assertThat(scrape()).contains("tidemark_index_freshness_seconds{index=\"by_year\",table=\"films\"} 0.0");
        fixture.clock().advance(Duration.ofSeconds(42));
        assertThat(scrape()).contains("tidemark_index_freshness_seconds{index=\"by_year\",table=\"films\"} 42.0");
    }

    @Test
    void seriesOfAPartitionAreThereWhileItIsAssigned() {
        String series = "tidemark_index_lag_seconds{index=\"by_year\",partition=\"0\",table=\"films\"}";
        assertThat(scrape()).doesNotContain(series);
        follow();
        assertThat(scrape())
                .contains(series)
                .contains("tidemark_index_lag_records{index=\"by_year\",partition=\"0\",table=\"films\"} NaN");
        fixture.shards().revoke(ID);
        assertThat(scrape()).doesNotContain(series);
    }

    @Test
    void seriesOfAnIndexAreThereWhileItIsInForce() {
        assertThat(scrape()).contains("by_town", "tidemark_table_apply_rate{table=\"people\"}");

        fixture.define(Definitions.first(new Catalog(List.of(Tables.films())), ChangeLog.START));

        assertThat(scrape())
                .contains("by_year", "tidemark_table_apply_rate{table=\"films\"}")
                .doesNotContain("by_town", "tidemark_table_apply_rate{table=\"people\"}");
    }

    private static double value(String page, String series) {
        return page.lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
                .sum();
    }

    private void follow() {
        follow(ID, Tables.films());
    }

    private void follow(ShardId id, TableDefinition table) {
        OpenShard shard = fixture.open(id);
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        fixture.deliver(shard, reading, new ChangeLog(table).heartbeat(100).take());
    }

    /** A partition ends there; where others end is not known. */
    private void sample(ShardId id, long end) {
        new LagSampler(fixture.lag(), shards -> new EndOffsets.Ends(Map.of(id, end), Map.of()), fixture.clock()).run();
    }

    private String scrape() {
        gauges.refresh();
        return meters.scrape();
    }
}
