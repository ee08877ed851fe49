package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.guarantee.NoAcknowledgedWriteLost;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.meters.MetricsPage;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.oracle.RowTimeline.Write;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Without a broker writes go on up to the stated bound, even after the writer was killed and started again meanwhile;
 * after the broker returned, everything drains by itself.
 */
@Execution(ExecutionMode.CONCURRENT)
class BrokerOutageIT {
    private static final String TABLE = "people";
    private static final int BOUND = 200;
    private static final Duration OUTAGE = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofMillis(500);

    private final NoAcknowledgedWriteLost history = new NoAcknowledgedWriteLost();
    private final People people = new People(new Random(8));
    private int writes;

    @Test
    @TakesTurns(turn = 0, of = 3)
    void writesGoOnUpToTheBoundAndDrainAfterTheBrokerReturns() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start(
                "outage",
                settings -> settings.withCatalog(StackUnderTest.resource("/e2e/kills.yaml"))
                        .with(Role.WRITER, "outbox.max.pending.records", Integer.toString(BOUND)))) {
            put(stack).requireOk();
            stack.settle(TABLE);
            // The writer reads now and then how far the workers are, and a broker that is away gives no first answer.
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(STEP)
                    .until(() -> known(stack.facts().metrics()).isPresent());
            Instant end = stack.clock().instant().plus(OUTAGE);
            stack.kill(Role.BROKER);
            for (int i = 0; i < BOUND / 2; i++) {
                put(stack).requireOk();
            }
            requireGrowingFreshness(stack, end);
            fillUp(stack);
            stack.kill(Role.WRITER);
            stack.startAgain(Role.BROKER);
            stack.startAgain(Role.WRITER);
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(STEP)
                    .until(() -> put(stack).ok());
            history.check(stack.settle(TABLE));
            assertThat(stack.facts().metrics().sum("tidemark_outbox_pending_records"))
                    .isZero();
        }
    }

    private void fillUp(StackUnderTest stack) throws Exception {
        for (int i = 0; i < 2 * BOUND; i++) {
            Answer answer = put(stack);
            if (!answer.ok()) {
                assertThat(answer.status()).as("%s", answer).isEqualTo(503);
                assertThat(answer.header("Retry-After")).matches("[1-9]\\d*");
                assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
                assertThat(answer.json().path("detail").asText()).contains("outbox");
                return;
            }
        }
        throw new AssertionError("expected the outbox to be full after " + writes + " writes");
    }

    private static void requireGrowingFreshness(StackUnderTest stack, Instant end) throws Exception {
        List<Double> byWriter = new ArrayList<>();
        List<Double> byWorker = new ArrayList<>();
        while (stack.clock().instant().isBefore(end)) {
            byWriter.add(freshness(stack.facts().metrics()));
            byWorker.add(freshness(stack.indexes().metrics()));
            MetricsPage writer = stack.facts().metrics();
            assertThat(writer.sum("tidemark_outbox_pending_records", "table", TABLE))
                    .isBetween(BOUND / 2.0, 2.0 * BOUND);
            BoundedWait.rest(STEP);
        }
        assertThat(byWriter.subList(3, byWriter.size())).isSorted().doesNotHaveDuplicates();
        assertThat(byWorker).isSorted().doesNotHaveDuplicates();
        assertThat(byWorker.get(byWorker.size() - 1)).isGreaterThan(OUTAGE.toSeconds() - 5.0);
    }

    private static double freshness(MetricsPage page) {
        return known(page).orElseThrow();
    }

    private static OptionalDouble known(MetricsPage page) {
        return page.largest("tidemark_index_freshness_seconds", "table", TABLE);
    }

    private Answer put(StackUnderTest stack) throws Exception {
        String key = "row-" + writes++ % 40;
        Write write = Write.put(key, people.row(key));
        Answer answer = stack.facts().put(TABLE, key, write.body());
        history.answered(write, answer);
        return answer;
    }
}
