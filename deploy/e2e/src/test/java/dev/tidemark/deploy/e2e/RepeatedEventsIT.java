package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.deploy.e2e.kafka.RawTopic;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.index.IndexDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Kafka may deliver again what it delivered before, and a writer may publish again: the indexes do not care. */
@ExtendWith(SharedStack.class)
class RepeatedEventsIT {
    private static final String TABLE = "repeated_people";
    private static final int WRITES = 150;

    private final StackUnderTest stack;

    RepeatedEventsIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void eventsDeliveredTwiceAndOldOnesAfterNewOnesChangeNothing() throws Exception {
        write(new Random(11));
        stack.settle(TABLE);
        Map<String, List<JsonNode>> before = everything();
        double stale = counted("stale");
        double applied = counted("applied");

        // The writer would commit rows once more that old events stand behind.
        stack.child(Role.WRITER).suspend();
        try {
            long events = deliverAllAgain();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(counted("stale")).isEqualTo(stale + events));
            assertThat(counted("applied")).isEqualTo(applied);
            assertThat(everything()).isEqualTo(before);
        } finally {
            stack.resumeWriter();
        }
        stack.settle(TABLE);
        assertThat(stack.indexes().describe(TABLE, "by_town").path("state").asText())
                .isEqualTo("steady");
    }

    private void write(Random random) throws Exception {
        People people = new People(random);
        for (int i = 0; i < WRITES; i++) {
            String key = "row-" + random.nextInt(20);
            if (random.nextInt(5) == 0) {
                stack.facts().delete(TABLE, key);
            } else {
                stack.facts().put(TABLE, key, people.row(key)).requireOk();
            }
        }
    }

    /** Everything the topic holds, heartbeats too, from the first record to the last; how many changes of rows. */
    private long deliverAllAgain() throws InterruptedException {
        TableDefinition table = stack.table(TABLE);
        try (RawTopic topic = new RawTopic(stack.stack().bootstrapServers(), TABLE, table.partitions())) {
            List<RawTopic.Placed> records = topic.readAll();
            topic.append(records);
            return records.stream()
                    .filter(placed -> !placed.record().key().equals(ChangeCodec.HEARTBEAT_KEY))
                    .count();
        }
    }

    private Map<String, List<JsonNode>> everything() throws Exception {
        Map<String, List<JsonNode>> entries = new HashMap<>();
        for (IndexDefinition index : stack.table(TABLE).indexes()) {
            entries.put(index.name(), stack.indexes().entries(index.qualifiedName()));
        }
        return entries;
    }

    private double counted(String result) throws Exception {
        return stack.indexes().metrics().sum("tidemark_events_applied_total", "table", TABLE, "result", result);
    }
}
