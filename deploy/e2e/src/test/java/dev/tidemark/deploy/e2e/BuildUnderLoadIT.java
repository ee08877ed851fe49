package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.PacedLoad;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An index is built over many rows while they change all the time, and the indexes that were there stay fresh. Sizes:
 * {@code -Dbuild.rows=1000000 -Dbuild.changes=2000 -Dbuild.target.ms=1000}.
 */
@Isolated("it measures, and several stacks at a time would make it measure them")
@TakesTurns(turn = 0, of = 3)
class BuildUnderLoadIT {
    private static final int ROWS = Integer.getInteger("build.rows", 20_000);
    private static final int CHANGES_PER_SECOND = Integer.getInteger("build.changes", 300);
    private static final Duration TARGET = Duration.ofMillis(Integer.getInteger("build.target.ms", 1_000));

    private static final int LOADED_AT_ONCE = 10_000;
    private static final Duration BEFORE = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final Duration STEP = Duration.ofMillis(100);

    @Test
    void theIndexesThatAnswerStayFreshWhileAnotherIsBuilt() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start(
                "build-under-load",
                settings -> settings.withCatalog(BuiltIndexes.catalogFile())
                        .with(Role.WORKER, "build.freshness.target", TARGET.toMillis() + "ms"))) {
            BuiltIndexes built = new BuiltIndexes(stack);
            built.load(ROWS, LOADED_AT_ONCE);
            built.awaitLagZero();
            Ages before = new Ages(stack);
            Ages during = new Ages(stack);
            SteadyClock clock = new SteadyClock();
            long start;
            long took;
            JsonNode ready;
            try (PacedLoad load = built.change(ROWS, CHANGES_PER_SECOND, 7)) {
                before.sampleFor(BEFORE);
                start = clock.millis();
                long sent = load.sent();
                create(stack);
                try (AgentRunner sampling = AgentRunner.start(during, Ages.PACE)) {
                    ready = awaitReady(built, during);
                    assertThat(sampling.failure()).isEmpty();
                }
                took = clock.millis() - start;
                report(before, during, took, load.sent() - sent);
                load.stop();
            }
            assertThat(ready.path("refused").asInt()).isZero();
            JsonNode verified = new VerifyJobs(stack, BuiltIndexes.TABLE, PATIENCE).run("full", false);
            assertThat(verified.path("equal").asBoolean()).as("%s", verified).isTrue();
            assertThat(during.most())
                    .as("staleness of answers during the build, ms")
                    .isLessThan(TARGET.toMillis());
        }
    }

    private static void create(StackUnderTest stack) throws IOException, InterruptedException {
        Answer created = stack.indexes()
                .http()
                .send(
                        "POST",
                        "/v1/indexes",
                        "{\"table\":\"people\",\"index\":\"by_score\",\"key\":[\"score\",\"name\"],\"projection\":"
                                + "[\"town\"]}",
                        Map.of("Content-Type", "application/json"));
        assertThat(created.status()).as("%s", created).isEqualTo(202);
    }

    private static JsonNode awaitReady(BuiltIndexes built, Ages soFar) throws InterruptedException {
        JsonNode[] last = new JsonNode[1];
        String[] told = {""};
        boolean ready = BoundedWait.until(
                () -> {
                    last[0] = built.describeOrNothing("by_score");
                    String state = last[0].path("life").path("state").asText();
                    if (!state.equals(told[0])) {
                        told[0] = state;
                        System.out.println("Build under load: " + state + " " + last[0].path("progress")
                                + ", staleness so far " + soFar);
                    }
                    return state.equals("ready");
                },
                PATIENCE,
                STEP);
        assertThat(ready).as("%s", last[0]).isTrue();
        return last[0];
    }

    private static void report(Ages before, Ages during, long tookMs, long changes) {
        System.out.printf(
                Locale.ROOT,
                "Build under load: %,d rows in %.1f s, %,.0f rows/s, beside %,.0f changes/s;%n"
                        + "  staleness before (ms): %s%n  staleness during (ms): %s%n",
                ROWS,
                tookMs / 1e3,
                ROWS * 1e3 / tookMs,
                changes * 1e3 / tookMs,
                before,
                during);
    }

    /** How old the answers of the index by town say they are. */
    private static final class Ages implements Agent {
        private static final Duration PACE = Duration.ofMillis(20);

        private final StackUnderTest stack;
        private final List<Long> ages = Collections.synchronizedList(new ArrayList<>());

        Ages(StackUnderTest stack) {
            this.stack = stack;
        }

        @Override
        public String roleName() {
            return "ages";
        }

        @Override
        public int doWork() throws InterruptedException {
            try {
                JsonNode freshness = stack.indexes()
                        .query("by_town", "town", "T1", "limit", "1")
                        .requireOk()
                        .json()
                        .path("freshness");
                assertThat(freshness.path("stalenessMs").isNumber())
                        .as("%s", freshness)
                        .isTrue();
                ages.add(freshness.path("stalenessMs").asLong());
            } catch (IOException e) {
                throw new AssertionError("the worker should answer all the time", e);
            }
            return 0;
        }

        void sampleFor(Duration time) throws InterruptedException {
            AgentRunner runner = AgentRunner.start(this, PACE);
            BoundedWait.rest(time);
            runner.close();
            assertThat(runner.failure()).isEmpty();
        }

        long most() {
            return Collections.max(ages);
        }

        @Override
        public String toString() {
            List<Long> sorted =
                    List.of(ages.toArray(Long[]::new)).stream().sorted().toList();
            if (sorted.isEmpty()) {
                return "unknown";
            }
            int last = sorted.size() - 1;
            return "p50 %d, p99 %d, largest %d of %d"
                    .formatted(sorted.get(last / 2), sorted.get((int) (last * 0.99)), sorted.get(last), sorted.size());
        }
    }
}
