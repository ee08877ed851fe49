package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.util.Map;
import java.util.Random;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An operator stops one table: its answers go on and say how old they are; nothing is lost when it goes on. */
@ExtendWith(SharedStack.class)
@TakesTurns(turn = 1, of = 6)
class PauseIT {
    private static final String TABLE = "paused_people";
    private static final String INDEX = TABLE + ".by_town";
    private static final String STATE = "tidemark_index_state";
    private static final Duration PAUSE = Duration.ofSeconds(3);

    /** An age is an upper bound, which falls when the worker gets to know the clock of the writer better. */
    private static final Duration CLOCKS = Duration.ofMillis(100);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final StackUnderTest stack;
    private final People people = new People(new Random(8));

    PauseIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void aPausedTableAnswersHonestlyAndFollowsAgainWhenResumed() throws Exception {
        stack.facts().put(TABLE, "before", people.row("before")).requireOk();
        stack.settle(TABLE);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(freshness().path("state").asText()).isEqualTo("steady"));

        assertThat(post("pause").json().path("paused").asBoolean()).isTrue();
        try {
            stack.facts().put(TABLE, "meanwhile", people.row("meanwhile")).requireOk();
            BoundedWait.rest(PAUSE);
            JsonNode early = freshness();
            BoundedWait.rest(PAUSE);
            JsonNode late = freshness();

            assertThat(early.path("state").asText()).isEqualTo("paused");
            assertThat(late.path("completeUpTo")).as("nothing moves").isEqualTo(early.path("completeUpTo"));
            assertThat(early.path("stalenessMs").asLong()).isBetween(PAUSE.toMillis(), 2 * PAUSE.toMillis());
            assertThat(late.path("stalenessMs").asLong())
                    .isGreaterThanOrEqualTo(early.path("stalenessMs").asLong() + PAUSE.toMillis() - CLOCKS.toMillis());
            assertThat(stack.indexes().entries(INDEX))
                    .as("what was there is still answered, and no more")
                    .extracting(entry -> entry.path("primaryKey").asText())
                    .doesNotContain("meanwhile");
            assertThat(stack.indexes().metrics().values(STATE, "table", TABLE, "state", "paused"))
                    .isNotEmpty()
                    .containsOnly(1.0);
            assertThat(stack.indexes().metrics().values(STATE, "table", "people", "state", "paused"))
                    .as("no other table")
                    .containsOnly(0.0);
        } finally {
            assertThat(post("resume").json().path("paused").asBoolean()).isFalse();
        }

        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode freshness = freshness();
            assertThat(freshness.path("state").asText()).isEqualTo("steady");
            assertThat(freshness.path("stalenessMs").asLong()).isLessThan(1_000);
        });
        stack.settle(TABLE);
    }

    private JsonNode freshness() throws Exception {
        return stack.indexes().query(INDEX, "limit", "1").requireOk().json().path("freshness");
    }

    private Answer post(String verb) throws Exception {
        return stack.indexes()
                .http()
                .send("POST", "/v1/tables/" + TABLE + "/" + verb, "", Map.of())
                .requireOk();
    }
}
