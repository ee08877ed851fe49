package dev.tidemark.writer.commit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.Failpoints;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.failpoint.WriterFailpoint;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryFactStore;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class CommitFailpointsTest {
    @Test
    void aFailpointIsBeforeOrAfterTheStepThatItIsNamedFor() throws Exception {
        assertThat(stepsBefore(WriterFailpoint.COMMIT_BEFORE_WRITE)).isEmpty();
        assertThat(stepsBefore(WriterFailpoint.COMMIT_WRITTEN)).containsExactly("written");
        assertThat(stepsBefore(WriterFailpoint.COMMIT_COUNTED)).containsExactly("written", "counted");
        assertThat(stepsBefore(WriterFailpoint.COMMIT_ANSWERED)).containsExactly("written", "counted", "answered");
    }

    @Test
    void aProcessThatIsStartedWithoutAFailpointReachesItsEnd() throws Exception {
        assertThat(printed("none:1", 0)).containsExactly("written", "counted", "answered", "end");
    }

    private static List<String> stepsBefore(WriterFailpoint failpoint) throws Exception {
        List<String> lines = printed(failpoint.label() + ":1", Failpoints.EXIT_CODE);
        assertThat(lines).last().isEqualTo(Failpoints.LAST_WORDS + failpoint.label());
        return lines.subList(0, lines.size() - 1);
    }

    private static List<String> printed(String failpoint, int exitCode) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-D" + Failpoints.PROPERTY + "=" + failpoint,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneCommit.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(exitCode);
        return output.lines()
                .filter(line -> line.matches("written|counted|answered|end|" + Failpoints.LAST_WORDS + ".*"))
                .toList();
    }

    /** A process that commits one row, and prints each step. */
    static final class OneCommit {
        private OneCommit() {}

        public static void main(String[] arguments) throws Exception {
            FailingFactStore store = new FailingFactStore(new InMemoryFactStore(new InMemoryDisk()));
            store.beforeCommit(() -> step("written"));
            Committer.Listener listener = new Committer.Listener() {
                @Override
                public void committed(FactBatch batch, Duration took) {
                    // The store prints it.
                }

                @Override
                public void frontierMoved() {
                    step("counted");
                }
            };
            Committer committer = new Committer(
                    store,
                    TestTables.digests(store),
                    TestTables::rules,
                    new CommitterLimits(3, 10_000, 100, Duration.ofMillis(1)),
                    new MemoryBudget(100_000).part("queue", 1),
                    table -> Optional.empty(),
                    new ManualClock(),
                    List.of(listener));
            WriteCommand command =
                    new WriteCommand.Put(TestTables.customerKey(1), TestTables.customer(1, "a"), Precondition.NONE);
            CompletableFuture<Void> answered = committer
                    .submit(WriteRequest.of("customers", command, 10), Duration.ZERO)
                    .thenRun(() -> step("answered"));
            committer.doWork();
            answered.join();
            step("end");
        }

        private static void step(String name) {
            System.out.println(name);
            System.out.flush();
        }
    }
}
