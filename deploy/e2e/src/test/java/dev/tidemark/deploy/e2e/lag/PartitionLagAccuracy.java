package dev.tidemark.deploy.e2e.lag;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.WireRecord;
import dev.tidemark.deploy.e2e.guarantee.FreshnessComesBack;
import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.kafka.RawTopic;
import dev.tidemark.deploy.e2e.meters.MetricsPage;
import dev.tidemark.deploy.e2e.running.AnotherWorker;
import dev.tidemark.deploy.e2e.running.DebuggedThreads;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.UnusedPort;
import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Something happens to some partitions and not to the others. */
abstract class PartitionLagAccuracy extends LagAccuracyStack {
    private static final int STUCK_SECONDS = lasting(7);
    private static final int APART_SECONDS = lasting(5);
    private static final int APPLY_THREADS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LAG = "tidemark_index_lag_seconds";

    PartitionLagAccuracy(StackUnderTest stack) {
        super(stack);
    }

    @Situation
    void poison() throws Exception {
        try (LagNeverUnderReported watch = watch("poison event")) {
            append("victim", "garbage{");
            await().atMost(PATIENCE).until(() -> state().equals("degraded"));
            watch.awaitJudged(2 * ENOUGH, Source.values());
            stack().facts()
                    .put(
                            TABLE,
                            "victim",
                            RowJson.mapper()
                                    .createObjectNode()
                                    .put("id", "victim")
                                    .put("value", 1))
                    .requireOk();
            await().atMost(PATIENCE).until(() -> state().equals("steady"));
            awaitFresh();
            watch.check(ENOUGH);
        }
    }

    /** A second worker takes over some partitions, works beside the first, and gives them back. */
    @Situation
    void rebalance() throws Exception {
        int port = UnusedPort.find();
        URI second = URI.create("http://127.0.0.1:" + port);
        awaitFresh();
        try (LagNeverUnderReported watch =
                LagNeverUnderReported.watch("rebalance with two workers", writerUrl(), workerUrl(), second)) {
            watch.awaitJudged(ENOUGH, Source.values());
            try (AnotherWorker worker =
                    AnotherWorker.start(stack(), "second", port, List.of(), List.of("group.instance.id=none"))) {
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(worker.indexes().metrics().values(LAG, "table", TABLE))
                                        .isNotEmpty());
                // Neither worker speaks for the whole index, of which the other one has a part; the writer does.
                new FreshnessComesBack(stack().facts(), List.of()).check(TABLE);
                seconds(APART_SECONDS);
            }
            awaitAllPartitions();
            awaitFresh();
            watch.awaitJudged(ENOUGH, Source.values());
            watch.check(ENOUGH);
        }
    }

    /** One apply thread hangs; the partitions of the other go on. The index is as late as the late ones. */
    @Situation
    void oneStuckWhileTheOthersMove() throws Exception {
        int debugger = UnusedPort.find();
        stack().terminate(Role.WORKER);
        try (AnotherWorker worker = AnotherWorker.start(
                stack(),
                "debugged",
                workerUrl().getPort(),
                List.of(DebuggedThreads.flag(debugger)),
                List.of("data.dir=" + stack().dataOf(Role.WORKER), "apply.threads=" + APPLY_THREADS))) {
            try (DebuggedThreads threads = DebuggedThreads.attach(debugger);
                    LagNeverUnderReported watch = watch("one partition stuck while the others move")) {
                String hanging = "apply-" + Math.floorMod(new ShardId(TABLE, 0).hashCode(), APPLY_THREADS);
                threads.suspend(hanging);
                seconds(STUCK_SECONDS);
                requireSomeStuckAndSomeNot(worker.indexes().metrics());
                threads.resume(hanging);
                awaitFresh();
                watch.awaitJudged(ENOUGH, Source.values());
                assertThat(watch.check(ENOUGH).worstTruth()).isGreaterThan(STUCK_SECONDS / 2.0);
            }
        } finally {
            stack().startAgain(Role.WORKER);
        }
    }

    private static void requireSomeStuckAndSomeNot(MetricsPage page) {
        List<Double> lags = page.values(LAG, "table", TABLE);
        assertThat(lags)
                .as("lag of each partition")
                .anyMatch(lag -> lag > STUCK_SECONDS / 2.0)
                .anyMatch(lag -> lag < 1);
        assertThat(page.largest("tidemark_index_freshness_seconds", "table", TABLE)
                        .orElse(Double.NaN))
                .as("freshness of the index")
                .isGreaterThan(STUCK_SECONDS / 2.0);
    }

    private void awaitAllPartitions() {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(stack().indexes().metrics().values(LAG, "table", TABLE))
                        .hasSize(4));
    }

    private String state() throws Exception {
        return stack().indexes().describe(TABLE, "by_id").path("state").asText();
    }

    private void append(String row, String value) throws Exception {
        TableDefinition table = stack().table(TABLE);
        KeyBytes key = table.keyFromJson(TextNode.valueOf(row));
        KeyBytes garbage = KeyBytes.wrap(value.getBytes(StandardCharsets.UTF_8));
        try (RawTopic topic = new RawTopic(stack().stack().bootstrapServers(), TABLE, table.partitions())) {
            topic.append(List.of(new RawTopic.Placed(table.partitionOf(key), new WireRecord(key, garbage, Map.of()))));
        }
    }
}
