package dev.tidemark.deploy.e2e.lag;

import java.util.List;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

/** Nothing is broken. */
abstract class EverydayLagAccuracy extends LagAccuracyStack {
    private static final int IDLE_SECONDS = lasting(7);
    private static final int LAST_WRITES_SECONDS = 4;
    private static final int LOAD_SECONDS = lasting(4);
    private static final int BURST_ROWS = 20_000;
    private static final int BURST_REQUESTS = 4;

    EverydayLagAccuracy(StackUnderTest stack) {
        super(stack);
    }

    /** Silence is no excuse: the numbers go on to be given, and the first write after it is seen. */
    @Situation
    void idle() throws Exception {
        try (LagNeverUnderReported watch = watch("idle")) {
            watch.idle(true);
            // What was under way ends within the prober's patience.
            seconds(LAST_WRITES_SECONDS);
            ProbeReport before = watch.soFar();
            seconds(IDLE_SECONDS - LAST_WRITES_SECONDS);
            ProbeReport after = watch.soFar();
            assertThat(after.writes()).as("writes of the prober").isEqualTo(before.writes());
            watch.awaitJudged(ENOUGH, Source.values());
            awaitFresh();
            watch.idle(false);
            watch.awaitJudged(ENOUGH, Source.values());
            assertThat(watch.check(ENOUGH).source(Source.ANSWER).unknown()).isZero();
        }
    }

    @Situation
    void steadyLoad() throws Exception {
        try (LagNeverUnderReported watch = watch("steady load");
                SteadyLoad load = SteadyLoad.start("people", stack().facts(), 1)) {
            seconds(LOAD_SECONDS);
            load.stop();
            awaitFresh();
            watch.check(ENOUGH);
        }
    }

    /** More at once than the worker can take, in the partitions of the prober's own rows. */
    @Situation
    void burst() throws Exception {
        try (LagNeverUnderReported watch = watch("burst")) {
            for (int i = 0; i < BURST_REQUESTS; i++) {
                stack().facts().load(TABLE, rows(i), "").requireOk();
            }
            awaitFresh();
            watch.awaitJudged(ENOUGH, Source.values());
            watch.check(ENOUGH);
        }
    }

    private static List<JsonNode> rows(int request) {
        return IntStream.range(0, BURST_ROWS / BURST_REQUESTS)
                .<JsonNode>mapToObj(i -> RowJson.mapper()
                        .createObjectNode()
                        .put("id", "burst-" + request + "-" + i)
                        .put("value", i))
                .toList();
    }
}
