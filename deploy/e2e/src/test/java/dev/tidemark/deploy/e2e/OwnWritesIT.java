package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

/** A query that carries the token of a write sees that write, or says that it cannot; it never answers without it. */
@ExtendWith(SharedStack.class)
class OwnWritesIT {
    private static final String TABLE = "own_people";
    private static final String INDEX = TABLE + ".by_town";
    private static final List<String> TOWNS = List.of("Aa", "Bb", "Cc", "Dd", "Ee");
    private static final int ITERATIONS = 200;

    private final StackUnderTest stack;

    OwnWritesIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void tokenShowsEveryMoveAndEveryDelete() throws Exception {
        for (int i = 0; i < ITERATIONS; i++) {
            String key = "mover-" + i % 3;
            if (i % 10 == 9) {
                String token = tokenOf(stack.facts().delete(TABLE, key));
                assertThat(rowsOf(key, find(token, ""))).as("iteration %d", i).isEmpty();
                stack.facts().put(TABLE, key, row(key, "Aa", i)).requireOk();
                continue;
            }
            String town = TOWNS.get(i % TOWNS.size());
            String token = tokenOf(stack.facts().put(TABLE, key, row(key, town, i)));
            List<JsonNode> found = rowsOf(key, find(token, ""));
            assertThat(found).as("iteration %d", i).hasSize(1);
            assertThat(found.get(0).path("key").path("town").asText()).isEqualTo(town);
            assertThat(found.get(0).path("row").path("round").asInt()).isEqualTo(i);
        }
        stack.settle(TABLE);
    }

    @Test
    void tokenOfABulkLoadShowsAllOfIt() throws Exception {
        List<ObjectNode> rows = IntStream.range(0, 500)
                .mapToObj(i -> row("bulk-" + i, "Bulkville", i))
                .toList();
        String token = tokenOf(stack.facts().load(TABLE, rows, ""));
        assertThat(find(token, "Bulkville").path("entries")).hasSize(500);
    }

    @Test
    void queryIsRefusedInTimeWhenTheWriteCannotArrive() throws Exception {
        stack.child(Role.BROKER).suspend();
        try {
            String token = tokenOf(stack.facts().put(TABLE, "late", row("late", "Lateville", 1)));
            Instant asked = stack.clock().instant();
            Answer answer = stack.indexes().query(INDEX, "town", "Lateville", "token", token, "wait", "1s");
            Duration took = Duration.between(asked, stack.clock().instant());
            assertThat(answer.status()).as("%s", answer).isEqualTo(503);
            assertThat(answer.header("Retry-After")).matches("[1-9]\\d*");
            assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
            assertThat(took).isBetween(Duration.ofMillis(900), Duration.ofSeconds(10));
        } finally {
            stack.child(Role.BROKER).resume();
        }
        stack.settle(TABLE);
    }

    private JsonNode find(String token, String town) throws Exception {
        Answer answer = town.isEmpty()
                ? stack.indexes().query(INDEX, "limit", "1000", "token", token, "wait", "20s")
                : stack.indexes().query(INDEX, "town", town, "limit", "1000", "token", token, "wait", "20s");
        return answer.requireOk().json();
    }

    private static List<JsonNode> rowsOf(String key, JsonNode answer) {
        return StreamSupport.stream(answer.path("entries").spliterator(), false)
                .filter(entry -> entry.path("primaryKey").asText().equals(key))
                .toList();
    }

    private static String tokenOf(Answer answer) {
        return answer.requireOk().json().path("token").asText();
    }

    private static ObjectNode row(String key, String town, int round) {
        return RowJson.mapper()
                .createObjectNode()
                .put("personId", key)
                .put("town", town)
                .put("round", round);
    }
}
