package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker that was away for too long to go on answers as old as it is, until its shards are built again. */
@Execution(ExecutionMode.CONCURRENT)
class AgedShardIT {
    private static final String TABLE = "people";
    private static final String TOWN = "Anytown";
    private static final int ROWS = 9_000;
    private static final int MOST_ASKED = 1_000;
    private static final Duration AWAY = Duration.ofSeconds(3);
    private static final Duration STEP = Duration.ofMillis(10);

    @Test
    @TakesTurns(turn = 4, of = 6)
    void answersWithWhatItHadUntilItHasPassedThat() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start(
                "aged-shard",
                settings -> settings.withCatalog(StackUnderTest.resource("/e2e/group-catalog.yaml"))
                        .with(Role.WORKER, "shard.max.absence", "2s"))) {
            List<ObjectNode> rows = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                rows.add(row("aged-" + i));
            }
            stack.facts().load(TABLE, rows, "").requireOk();
            stack.settle(TABLE);
            Set<String> old = keys(stack.indexes()
                    .query("people.by_town", "town", TOWN, "limit", "10000")
                    .requireOk());
            assertThat(stack.terminate(Role.WORKER)).isZero();
            stack.facts().delete(TABLE, "aged-0").requireOk();
            stack.facts().put(TABLE, "late-1", row("late-1")).requireOk();
            BoundedWait.rest(AWAY);

            stack.child(Role.WORKER).start();
            Set<String> wanted = new TreeSet<>(old);
            wanted.remove("aged-0");
            wanted.add("late-1");
            List<Answer> answers = ask(stack, wanted);

            assertThat(answers).as("while the shards were built").hasSizeGreaterThan(1);
            assertThat(answers).allSatisfy(answer -> {
                assertThat(answer.status()).as("%s", answer).isEqualTo(200);
                boolean late = keys(answer).contains("late-1");
                boolean gone = !keys(answer).contains("aged-0");
                if (!late || !gone) {
                    assertThat(answer.json().at("/freshness/stalenessMs").asLong())
                            .as("%s", answer.json().path("freshness"))
                            .isGreaterThan(AWAY.toMillis());
                }
            });
            assertThat(keys(answers.get(0))).as("the first answer").isEqualTo(old);
            stack.settle(TABLE);
        }
    }

    /** Every answer from the first that the worker gave to the one that is as wanted. */
    private static List<Answer> ask(StackUnderTest stack, Set<String> wanted) throws InterruptedException {
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < MOST_ASKED; i++) {
            try {
                Answer answer = stack.indexes().query("people.by_town", "town", TOWN, "limit", "10000");
                if (answer.status() == 200 || !answers.isEmpty()) {
                    answers.add(answer);
                }
                if (answer.status() == 200 && keys(answer).equals(wanted)) {
                    return answers;
                }
            } catch (IOException e) {
                // Not listening yet.
                assertThat(answers).isEmpty();
            }
            BoundedWait.rest(STEP);
        }
        throw new AssertionError("the worker did not get there; it answered " + answers.size() + " times");
    }

    private static Set<String> keys(Answer answer) {
        Set<String> keys = new TreeSet<>();
        for (JsonNode entry : answer.json().path("entries")) {
            keys.add(entry.path("primaryKey").asText());
        }
        return keys;
    }

    private static ObjectNode row(String key) {
        return RowJson.mapper().createObjectNode().put("personId", key).put("town", TOWN);
    }
}
