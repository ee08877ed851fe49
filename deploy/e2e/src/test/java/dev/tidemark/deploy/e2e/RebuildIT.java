package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.Films;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker that lost its disk makes the indexes anew from Kafka, and answers from none of them before it is whole. */
@ExtendWith(SharedStack.class)
@TakesTurns(turn = 1, of = 6)
class RebuildIT {
    private static final String TABLE = "rebuilt_movies";
    private static final int FILMS = 8_000;
    private static final int CHANGES = 5;
    private static final String PAGE = "10000";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(5);

    private final StackUnderTest stack;
    private final Set<String> refusedAs = new TreeSet<>();
    private int refusals;

    RebuildIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void workerWithoutItsDataRebuildsAndIsReadyOnlyThen() throws Exception {
        List<ObjectNode> films = Films.invented(FILMS, 7);
        // So that reading all changes again takes long enough to be seen.
        for (int change = 0; change < CHANGES; change++) {
            for (ObjectNode film : films) {
                film.put("change", change);
            }
            stack.facts().load(TABLE, films, "").requireOk();
        }
        stack.settle(TABLE);
        assertThat(stack.terminate(Role.WORKER)).isZero();
        StackUnderTest.deleteTree(stack.dataOf(Role.WORKER));

        stack.child(Role.WORKER).start();
        watchUntilReady();

        assertThat(refusals).as("times that /health/ready answered 503").isPositive();
        assertThat(refusedAs).as("states that refusals named").contains("restoring");
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
                Answer query = stack.indexes().query(TABLE + ".by_year", "limit", PAGE);
                Answer ready = stack.indexes().http().get("/health/ready");
                if (ready.status() == 200) {
                    return;
                }
                assertThat(ready.status()).as("%s", ready).isEqualTo(503);
                refusals++;
                check(query);
            } catch (IOException e) {
                // Not listening yet.
                BoundedWait.rest(STEP);
            }
            BoundedWait.rest(STEP);
        }
        throw new AssertionError("the worker is not ready after " + PATIENCE.toSeconds() + " s");
    }

    /** Until its indexes are whole it refuses and says when to come again; what answers is whole. */
    private void check(Answer query) {
        if (query.status() == 503) {
            assertThat(query.header("Retry-After")).as("%s", query).matches("[1-9]\\d*");
            refusedAs.add(query.json().path("state").asText());
        } else {
            assertThat(query.requireOk().json().path("entries").size())
                    .as("%s", query)
                    .isEqualTo(FILMS);
        }
    }
}
