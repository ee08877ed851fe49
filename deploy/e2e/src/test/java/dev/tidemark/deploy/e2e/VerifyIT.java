package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.ShardTamper;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.runtime.BoundedWait;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What happens behind the system's back is seen, named and healed, and nothing else is. */
@ExtendWith(SharedStack.class)
class VerifyIT {
    private static final String TABLE = "verified_people";
    private static final int ROWS = 600;
    private static final int ROUNDS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration STEP = Duration.ofMillis(50);

    private final StackUnderTest stack;
    private final VerifyJobs jobs;

    VerifyIT(StackUnderTest stack) {
        this.stack = stack;
        this.jobs = new VerifyJobs(stack, TABLE, PATIENCE);
    }

    @Test
    void entriesRemovedChangedAndAddedOnTheStoppedShardAreNamedAndHealedExactly() throws Exception {
        load();
        JsonNode before = index(jobs.run("full", false), "by_town");
        assertThat(before.path("digestsAgree").asBoolean()).isTrue();

        assertThat(stack.terminate(Role.WORKER)).isZero();
        tamper(before.path("generation").asLong());
        stack.startAgain(Role.WORKER);

        JsonNode seen = jobs.run("quick", false);
        JsonNode town = index(seen, "by_town");
        assertThat(seen.path("equal").asBoolean()).isFalse();
        assertThat(town.path("digestsAgree").asBoolean()).isFalse();
        assertThat(counts(town)).as("%s", town).containsExactly(1, 0, 0, 1, 1, 0);
        assertThat(town.path("examples"))
                .allMatch(example -> example.path("factVersion").isTextual());
        assertThat(seen.path("indexes"))
                .filteredOn(index -> !index.path("index").asText().equals("by_town"))
                .allMatch(index -> counts(index).stream().allMatch(count -> count == 0));
        assertThat(stack.indexes().metrics().values("tidemark_index_divergence", "table", TABLE, "index", "by_town"))
                .containsExactly(3.0);

        JsonNode repaired = jobs.run("full", true);
        assertThat(repaired.path("repaired").asInt()).as("%s", repaired).isEqualTo(3);
        assertThat(repaired.path("equal").asBoolean()).isTrue();
        assertThat(index(repaired.path("after"), "by_town").path("digestsAgree").asBoolean())
                .isTrue();
        assertThat(jobs.run("full", true).path("repaired").asInt()).isZero();
        stack.settle(TABLE);
    }

    @Test
    void underLoadNothingIsFoundWrongAndRepairChangesNothing() throws Exception {
        load();
        try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 11)) {
            for (int round = 0; round < ROUNDS; round++) {
                JsonNode full = jobs.run("full", false);
                assertThat(full.path("equal").asBoolean()).as("%s", full).isTrue();
                JsonNode quick = jobs.run("quick", true);
                assertThat(quick.path("repaired").asInt()).as("%s", quick).isZero();
            }
            load.stop();
        }
        stack.settle(TABLE);
    }

    @Test
    void digestsTellThatIndexesAreEqualBeforeAndAfterTheWriterIsKilled() throws Exception {
        load();
        Instant before = awaitEqual(Instant.MIN);
        stack.kill(Role.WRITER);
        stack.startAgain(Role.WRITER);
        ObjectNode row = new People(new Random(6)).row("p1").put("town", "Elsewhere");
        stack.facts().load(TABLE, List.of(row), "").requireOk();
        stack.settle(TABLE);
        awaitEqual(before);

        JsonNode quick = jobs.run("quick", false);

        assertThat(quick.path("basis").asText()).isEqualTo("digests");
        assertThat(quick.path("equal").asBoolean()).isTrue();
    }

    /** Waits until every index of the table is known to be equal as of a later time; what that is. */
    private Instant awaitEqual(Instant after) throws InterruptedException {
        Instant[] asOf = new Instant[1];
        assertThat(BoundedWait.until(() -> isEqual(after, asOf), PATIENCE, STEP))
                .isTrue();
        return asOf[0];
    }

    private boolean isEqual(Instant after, Instant[] asOf) {
        try {
            boolean equal = true;
            for (JsonNode index :
                    stack.indexes().http().get("/v1/indexes").requireOk().json().path("indexes")) {
                JsonNode digest = index.path("digest");
                if (index.path("table").asText().equals(TABLE)) {
                    equal &= digest.path("equal").asBoolean();
                    asOf[0] = digest.path("asOf").isTextual()
                            ? Instant.parse(digest.path("asOf").asText())
                            : Instant.MIN;
                    equal &= asOf[0].isAfter(after);
                }
            }
            return equal;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private void load() throws Exception {
        People people = new People(new Random(5));
        List<ObjectNode> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(people.row("p" + i).put("town", "Town " + i % 40));
        }
        stack.facts().load(TABLE, rows, "").requireOk();
        stack.settle(TABLE);
    }

    /** One entry removed, one changed, one added, of three rows. */
    private void tamper(long generation) throws MalformedKeyException {
        try (ShardTamper shard = ShardTamper.open(stack.dataOf(Role.WORKER), TABLE, 1)) {
            List<Map.Entry<KeyBytes, KeyBytes>> entries = shard.entries(generation);
            shard.remove(generation, entries.get(0).getKey());
            shard.put(generation, entries.get(1).getKey(), KeyBytes.wrap("{\"personId\":\"nobody\"}".getBytes(UTF_8)));
            KeyReader reader = new KeyReader(entries.get(2).getKey());
            reader.next(Order.ASC);
            KeyBytes added = new KeyWriter()
                    .append(new FieldValue.Text("Nowhere"), Order.ASC)
                    .append(reader.rest())
                    .toKey();
            shard.put(generation, added, entries.get(2).getValue());
        }
    }

    /** Missing, dangling, stale, badly covered, duplicate, undecided. */
    private static List<Integer> counts(JsonNode index) {
        return List.of("missing", "dangling", "stale", "bad_covered", "duplicate", "undecided").stream()
                .map(kind -> index.path(kind).asInt())
                .toList();
    }

    private static JsonNode index(JsonNode job, String name) {
        for (JsonNode index : job.path("indexes")) {
            if (index.path("index").asText().equals(name)) {
                return index;
            }
        }
        throw new AssertionError("no index " + name + " in " + job);
    }
}
