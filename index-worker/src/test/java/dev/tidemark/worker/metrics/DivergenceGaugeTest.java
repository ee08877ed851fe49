package dev.tidemark.worker.metrics;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;
import dev.tidemark.worker.verify.ListedFacts;
import dev.tidemark.worker.verify.VerifyAgent;
import dev.tidemark.worker.verify.VerifyJobs;
import dev.tidemark.worker.verify.VerifyTotals;

import static org.assertj.core.api.Assertions.assertThat;

/** What a scrape says of entries that a comparison found wrong, while partitions come and go. */
class DivergenceGaugeTest {
    private static final String CATALOG = """
        tables:
          people:
            primaryKey: id
            partitions: 2
            indexes:
              by_town: { key: [town], projection: keys_only }
        """;
    private static final ShardId FIRST = new ShardId("people", 0);
    private static final ShardId SECOND = new ShardId("people", 1);
    private static final String DIVERGENCE = "tidemark_index_divergence{index=\"by_town\",table=\"people\"} ";

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog(CATALOG)).withoutProofs();
    private final TableDefinition people =
            fixture.definitions().table("people").orElseThrow().definition();
    private final ListedFacts facts = new ListedFacts();
    private final VerifyTotals totals = new VerifyTotals();
    private final VerifyAgent agent = new VerifyAgent(
            new VerifyJobs(0),
            fixture.shards(),
            facts,
            MemoryBudget.unlimited().part("verification", 1),
            totals,
            Duration.ZERO,
            fixture.clock());
    private final ServiceMeters meters = new ServiceMeters();
    private final WorkerGauges gauges = new WorkerGauges(
            meters.registry(),
            fixture::definitions,
            fixture.lag(),
            new Visibility(fixture.clock()),
            new BuildMeter(fixture.shards(), fixture.clock()),
            totals);

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void whatWasFoundInAPartitionCountsWhileItIsHere() throws InterruptedException {
        assertThat(scrape()).contains(DIVERGENCE + "NaN");
        follow(FIRST, "Bern");
        assertThat(scrape()).as("the row is found under another town").contains(DIVERGENCE + "1.0");

        fixture.shards().revoke(FIRST);
        fixture.run();
        assertThat(scrape()).as("another worker has it").contains(DIVERGENCE + "NaN");

        agent.doWork();
        fixture.open(FIRST);
        assertThat(scrape()).as("it comes back, and was not compared since").contains(DIVERGENCE + "NaN");
    }

    @Test
    void aPassOverOnePartitionHidesNothingThatWasFoundInAnother() throws InterruptedException {
        follow(FIRST, "Bern");
        follow(SECOND, "Oslo");
        assertThat(scrape()).contains(DIVERGENCE + "1.0");

        fixture.shards().revoke(FIRST);
        fixture.run();
        assertThat(scrape()).contains(DIVERGENCE + "0.0");
    }

    @Test
    void whatWasFoundInAGenerationSaysNothingOfTheNext() throws InterruptedException {
        follow(FIRST, "Bern");
        fixture.define(fixture.definitions()
                .changed(Tables.catalog(CATALOG.replace("[town]", "[town, name]")), ChangeLog.START));
        fixture.run();

        assertThat(scrape()).contains(DIVERGENCE + "NaN");
    }

    /** Opens a shard with one row from Oslo, and compares it with a table that states the row's town. */
    private void follow(ShardId id, String town) throws InterruptedException {
        ChangeLog log = new ChangeLog(people);
        int person = IntStream.range(1, 99)
                .filter(one -> people.partitionOf(log.key(Integer.toString(one))) == id.partition())
                .findFirst()
                .orElseThrow();
        facts.put(1, log.key(Integer.toString(person)), row(person, town));
        OpenShard shard = fixture.open(id);
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        fixture.deliver(
                shard, reading, log.put(1, row(person, "Oslo")).heartbeat(1).take());
        fixture.clock().advance(Duration.ofSeconds(1));
        assertThat(agent.doWork()).as("it waits to be proven").isPositive();
        fixture.run();
    }

    private static String row(int id, String town) {
        return "{\"id\":" + id + ",\"town\":\"" + town + "\",\"name\":\"Ada\"}";
    }

    private String scrape() {
        gauges.refresh();
        return meters.scrape();
    }
}
