package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.Films;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Waiting;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker that lost its disk makes the indexes anew from Kafka alone, and says so as long as it takes. */
@ExtendWith(SharedStack.class)
class RebuildIT {
    private static final String TABLE = "rebuilt_movies";
    private static final int FILMS = 8_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(5);

    private final StackUnderTest stack;
    private final Set<String> statesBeforeReady = new TreeSet<>();
    private int refusals;

    RebuildIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void workerWithoutItsDataRebuildsAndIsReadyOnlyThen() throws Exception {
        stack.facts().load(TABLE, Films.invented(FILMS, 7), "").requireOk();
        stack.settle(TABLE);
        assertThat(stack.terminate(Role.WORKER)).isZero();
        StackUnderTest.deleteTree(stack.dataOf(Role.WORKER));

        stack.child(Role.WORKER).start();
        watchUntilReady();

        assertThat(refusals).as("times that /health/ready answered 503").isPositive();
        // A shard that has passed the end it saw at its opening may be late for what came since, while others restore.
        assertThat(statesBeforeReady)
                .as("states before it was ready")
                .contains("restoring")
                .isSubsetOf("restoring", "catching_up");
        assertThat(stack.indexes().entries(TABLE + ".by_year"))
                .as("entries at the moment of being ready")
                .hasSize(FILMS);
        stack.settle(TABLE);
    }

    /** Asks from the first moment the port answers. */
    private void watchUntilReady() throws InterruptedException {
        Instant deadline = stack.clock().instant().plus(PATIENCE);
        while (stack.clock().instant().isBefore(deadline)) {
            try {
                Answer query = stack.indexes().query(TABLE + ".by_year", "limit", "1");
                Answer ready = stack.indexes().http().get("/health/ready");
                if (ready.status() == 200) {
                    return;
                }
                assertThat(ready.status()).as("%s", ready).isEqualTo(503);
                refusals++;
                noteStateIn(query);
            } catch (IOException e) {
                // Not listening yet.
                Waiting.rest(STEP);
            }
            Waiting.rest(STEP);
        }
        throw new AssertionError("the worker is not ready after " + PATIENCE.toSeconds() + " s");
    }

    /** While it has no shard at all it refuses; whatever it answers names the state. */
    private void noteStateIn(Answer query) {
        if (query.status() == 503) {
            assertThat(query.header("Retry-After")).as("%s", query).matches("[1-9]\\d*");
        } else {
            statesBeforeReady.add(
                    query.requireOk().json().path("freshness").path("state").asText());
        }
    }
}
