package dev.tidemark.worker.metrics;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.backfill.BackfillAgent;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.backfill.Throttle;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.FilmShard;
import dev.tidemark.worker.testkit.InMemoryBackfillSource;
import dev.tidemark.worker.testkit.InstantVerifyAgent;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.verify.VerifyTotals;

import static org.assertj.core.api.Assertions.assertThat;

/** What a scrape says of an index that is added to a table with rows. */
class LifecycleGaugesTest {
    private static final String WITH_ANOTHER = """
        tables:
          films:
            primaryKey: id
            partitions: 1
            indexes:
              by_actor: { key: [{field: cast, each: true}], projection: keys_only }
              by_kind:  { key: [kind], projection: keys_only }
          plays:
            primaryKey: [town, name]
            partitions: 4
            indexes:
              explain: { key: [name], projection: keys_only }
        """;
    private static final String BY_KIND = "{index=\"by_kind\",table=\"films\"} ";

    private final FilmShard shelf = new FilmShard();
    private final InMemoryBackfillSource source = new InMemoryBackfillSource(shelf.log(), 1);
    private final BuildMeter builds =
            new BuildMeter(shelf.bench().shards(), shelf.bench().clock());
    private final BackfillAgent copier = new BackfillAgent(
            () -> source,
            shelf.bench().lag(),
            MemoryBudget.unlimited().part("builds", 1),
            new Throttle(0, Duration.ofSeconds(1), shelf.bench().clock().instant()),
            builds,
            shelf.bench().clock());
    private final ServiceMeters meters = new ServiceMeters();
    private final WorkerGauges gauges = new WorkerGauges(
            meters.registry(),
            shelf.bench()::definitions,
            shelf.bench().lag(),
            new Visibility(shelf.bench().clock()),
            builds,
            new VerifyTotals());

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void tellsHowFarABuildIsWhileItLasts() throws Exception {
        for (int id = 1; id <= 9; id++) {
            shelf.log().put(id, film(id, "\"short\""));
        }
        shelf.deliver();
        add();
        for (int step = 0; step < 5; step++) {
            step();
        }
        String during = scrape();
        assertThat(during)
                .contains(lifecycleState("building") + "1.0", lifecycleState("ready") + "0.0", rows("total") + "9.0")
                .doesNotContain("tidemark_build_rows_per_second" + BY_KIND + "NaN")
                .doesNotContain("tidemark_build_eta_seconds" + BY_KIND + "NaN");
        assertThat(value(during, rows("done"))).isBetween(1.0, 8.0);

        for (int step = 0; step < 60; step++) {
            step();
        }
        assertThat(scrape())
                .contains(lifecycleState("building") + "0.0", lifecycleState("ready") + "1.0", rows("done") + "9.0")
                .contains("tidemark_build_rows_per_second" + BY_KIND + "NaN")
                .contains("tidemark_build_eta_seconds" + BY_KIND + "NaN")
                .contains("tidemark_index_refused_rows" + BY_KIND + "0.0");
    }

    @Test
    void countsRowsThatTheIndexCannotHold() throws Exception {
        shelf.log().put(1, film(1, "{\"no\":\"scalar\"}")).put(2, film(2, "\"short\""));
        shelf.deliver();
        add();
        for (int step = 0; step < 60; step++) {
            step();
        }
        assertThat(scrape())
                .contains(lifecycleState("degraded") + "1.0", "tidemark_index_refused_rows" + BY_KIND + "1.0");
    }

    @Test
    void forgetsAnIndexThatIsGone() {
        add();
        assertThat(scrape()).contains(rows("done"), lifecycleState("building"), "index=\"explain\"");
        shelf.bench().define(shelf.bench().definitions().changed(FilmShard.catalog(), ChangeLog.START));
        assertThat(scrape()).doesNotContain("by_kind");
    }

    @Test
    void saysThatItIsUnknownWhereNoPartitionIsHere() {
        assertThat(scrape())
                .contains("tidemark_index_lifecycle_state{index=\"explain\",state=\"unknown\",table=\"plays\"} 1.0")
                .contains("tidemark_index_lifecycle_state{index=\"explain\",state=\"ready\",table=\"plays\"} 0.0");
    }

    private void add() {
        Catalog wanted = Tables.catalog(WITH_ANOTHER);
        shelf.bench().define(shelf.bench().definitions().changed(wanted, ChangeLog.START));
        shelf.bench().run();
    }

    private void step() throws InterruptedException {
        copier.doWork();
        new InstantVerifyAgent(
                        shelf.bench().shards(),
                        (shard, generation) -> new VerificationResult.Equal(),
                        shelf.bench().clock())
                .doWork();
        shelf.bench().run();
        shelf.bench().clock().advance(Duration.ofMillis(300));
    }

    private String scrape() {
        gauges.refresh();
        return meters.scrape();
    }

    private static double value(String page, String series) {
        return page.lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
                .findFirst()
                .orElse(Double.NaN);
    }

    private static String lifecycleState(String state) {
        return "tidemark_index_lifecycle_state{index=\"by_kind\",state=\"" + state + "\",table=\"films\"} ";
    }

    private static String rows(String kind) {
        return "tidemark_build_rows{index=\"by_kind\",kind=\"" + kind + "\",table=\"films\"} ";
    }

    private static String film(int id, String kind) {
        return "{\"id\":" + id + ",\"title\":\"T\",\"year\":1990,\"cast\":[],\"kind\":" + kind + "}";
    }
}
