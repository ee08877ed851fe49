package dev.tidemark.worker.metrics;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.worker.apply.Proof;
import dev.tidemark.worker.build.BuildMeter;
import dev.tidemark.worker.build.CopyAgent;
import dev.tidemark.worker.build.Throttle;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryCopySource;
import dev.tidemark.worker.testkit.ProofAgent;
import dev.tidemark.worker.testkit.Shelf;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

/** What a scrape says of an index that is added to a table with rows. */
class LifeGaugesTest {
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

    private final Shelf shelf = new Shelf();
    private final InMemoryCopySource source = new InMemoryCopySource(shelf.log(), 1);
    private final BuildMeter builds =
            new BuildMeter(shelf.bench().shards(), shelf.bench().clock());
    private final CopyAgent copier = new CopyAgent(
            () -> source,
            shelf.bench().lag(),
            MemoryBudget.unlimited().part("builds", 1),
            new Throttle(0, Duration.ofSeconds(1), shelf.bench().clock().instant()),
            builds,
            shelf.bench().clock());
    private final ServiceMeters meters = new ServiceMeters();
    private final LifeGauges gauges =
            new LifeGauges(meters.registry(), shelf.bench().shards(), builds);

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
                .contains(life("building") + "1.0", life("ready") + "0.0", rows("total") + "9.0")
                .doesNotContain("tidemark_build_rows_per_second" + BY_KIND + "NaN")
                .doesNotContain("tidemark_build_eta_seconds" + BY_KIND + "NaN");
        assertThat(value(during, rows("done"))).isBetween(1.0, 8.0);

        for (int step = 0; step < 60; step++) {
            step();
        }
        assertThat(scrape())
                .contains(life("building") + "0.0", life("ready") + "1.0", rows("done") + "9.0")
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
        assertThat(scrape()).contains(life("degraded") + "1.0", "tidemark_index_refused_rows" + BY_KIND + "1.0");
    }

    @Test
    void forgetsAnIndexThatIsGone() {
        add();
        assertThat(scrape()).contains(rows("done"), life("building"), "index=\"explain\"");
        shelf.bench().define(shelf.bench().definitions().changed(Shelf.catalog(), ChangeLog.START));
        assertThat(scrape()).doesNotContain("by_kind");
    }

    @Test
    void saysThatItIsUnknownWhereNoPartitionIsHere() {
        assertThat(scrape())
                .contains("tidemark_index_life{index=\"explain\",state=\"unknown\",table=\"plays\"} 1.0")
                .contains("tidemark_index_life{index=\"explain\",state=\"ready\",table=\"plays\"} 0.0");
    }

    private void add() {
        Catalog wanted = Tables.catalog(WITH_ANOTHER);
        shelf.bench().define(shelf.bench().definitions().changed(wanted, ChangeLog.START));
        shelf.bench().run();
    }

    private void step() throws InterruptedException {
        copier.doWork();
        new ProofAgent(
                        shelf.bench().shards(),
                        (shard, generation) -> new Proof.Equal(),
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

    private static String life(String state) {
        return "tidemark_index_life{index=\"by_kind\",state=\"" + state + "\",table=\"films\"} ";
    }

    private static String rows(String kind) {
        return "tidemark_build_rows{index=\"by_kind\",kind=\"" + kind + "\",table=\"films\"} ";
    }

    private static String film(int id, String kind) {
        return "{\"id\":" + id + ",\"title\":\"T\",\"year\":1990,\"cast\":[],\"kind\":" + kind + "}";
    }
}
