package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.drill.kafka.KafkaTamper;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.AnotherWriter;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.ChildSpec;
import dev.tidemark.deploy.stack.Role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A writer whose {@code row.max.bytes} is lowered keeps the rows that are longer, and publishes them again. */
@Execution(ExecutionMode.CONCURRENT)
@TakesTurns(turn = 3, of = 6)
class LoweredRowLimitIT {
    private static final String TABLE = "people";

    /** More than a topic takes that is made for rows of at most 1 MiB. */
    private static final int LONG_ROW = 3 << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final People people = new People(new Random(13));

    @Test
    void aRowThatIsLongerThanClientsMaySendNowIsInATopicThatIsMadeAgain() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start(
                "lowered-row-limit",
                settings -> settings.withCatalog(StackUnderTest.resource("/e2e/pair.yaml"))
                        .with(Role.WRITER, "row.max.bytes", Integer.toString(2 * LONG_ROW)))) {
            stack.facts().put(TABLE, "long", longRow()).requireOk();
            stack.settle(TABLE);
            stack.terminate(Role.WRITER);
            new KafkaTamper(stack.stack().bootstrapServers()).delete(stack.table(TABLE));

            ChildSpec before = stack.child(Role.WRITER).spec();
            ChildProcess strict = new ChildProcess(before.another(
                    before.id(),
                    StackUnderTest.emptyDirectory("lowered-row-limit-again"),
                    List.of("row.max.bytes=" + (1 << 20))));
            strict.start();
            try {
                AnotherWriter.awaitAnswers(stack.facts());
                await().atMost(PATIENCE)
                        .until(() -> stack.facts()
                                .put(TABLE, "short", people.row("short"))
                                .ok());

                assertThat(stack.settle(TABLE)).hasSize(2);
                assertThat(stack.facts().put(TABLE, "refused", longRow()).status())
                        .isEqualTo(413);
            } finally {
                strict.kill();
            }
        }
    }

    /** One that is hardly shorter when it is compressed. */
    private ObjectNode longRow() {
        byte[] noise = new byte[LONG_ROW / 4 * 3];
        new Random(14).nextBytes(noise);
        return people.row("long").put("note", Base64.getEncoder().encodeToString(noise));
    }
}
