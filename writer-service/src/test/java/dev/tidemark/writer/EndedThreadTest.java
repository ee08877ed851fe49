package dev.tidemark.writer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.postgres.InMemoryPostgres;
import dev.tidemark.writer.recovery.CommitHighWaterMark;
import dev.tidemark.writer.recovery.NewerWitness;
import dev.tidemark.writer.testkit.InMemoryDisk;

import static org.assertj.core.api.Assertions.assertThat;

/** A writer without a thread that it needs ends, so that another one takes its turn. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class EndedThreadTest {
    private static final String DISPLACED = "displaced";
    private static final String DAMAGED = "damaged";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"committer", "takeover", "term"})
    void aWriterEndsOnceAnErrorEndedAThreadThatItNeeds(String thread) throws Exception {
        assertThat(printedAtItsEnd(thread, ServiceProcess.GAVE_UP)).contains("the statement was too much");
    }

    /** It comes back as a standby, so its supervisor has to start it. */
    @Test
    void aWriterThatAnotherOneDisplacedEndsAsOneThatIsToBeStartedAgain() throws Exception {
        assertThat(printedAtItsEnd(DISPLACED, ServiceProcess.GAVE_UP)).contains("another writer has taken");
    }

    @Test
    void aWriterThatCannotReadItsDataGivesTheRightUpAndEndsAsOneThatIsNotToBeStartedAgain() throws Exception {
        NewerWitness.write(directory);

        assertThat(printedAtItsEnd("none", ServiceProcess.BAD_INPUT))
                .contains("witness to have format 1 at most", "Gave up the right to commit")
                .doesNotContain("to be started again");
    }

    @Test
    void aWriterWhoseFactTablesAreGoneGivesTheRightUpAndEndsAsOneThatIsNotToBeStartedAgain() throws Exception {
        try (CommitHighWaterMark seen = CommitHighWaterMark.open(directory)) {
            seen.note(new CommitPosition(new RowVersion(1, 7), Instant.EPOCH));
        }

        assertThat(printedAtItsEnd("none", ServiceProcess.BAD_INPUT))
                .contains("put a backup back", "Gave up the right to commit")
                .doesNotContain("to be started again");
    }

    @Test
    void aWriterWhoseFactTablesAreDamagedGivesTheRightUpAndEndsAsOneThatIsNotToBeStartedAgain() throws Exception {
        assertThat(printedAtItsEnd(DAMAGED, ServiceProcess.BAD_INPUT))
                .contains(FactsDamage.REMEDY, "Gave up the right to commit")
                .doesNotContain("to be started again");
    }

    private String printedAtItsEnd(String mishap, int exitCode) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=logback.xml",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneWriter.class.getName(),
                        directory.toString(),
                        mishap)
                .redirectErrorStream(true)
                .start();
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> read(process));
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("it ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(output.get()).isEqualTo(exitCode);
        return output.get();
    }

    private static String read(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A process with a writer, one of whose threads meets an Error or damage at a statement, or which is displaced. */
    static final class OneWriter {
        private OneWriter() {}

        public static void main(String[] arguments) throws Exception {
            AtomicBoolean whole = new AtomicBoolean(!arguments[1].equals(DAMAGED));
            InMemoryPostgres server = new InMemoryPostgres(new InMemoryDisk(), new InMemoryPostgres.Nature() {
                @Override
                public InMemoryPostgres.Fate fate() {
                    boolean inTakeover = Thread.currentThread().getName().equals("takeover");
                    if (inTakeover && !whole.getAndSet(true)) {
                        throw new FactsUnreadableException("a page is not whole", new IOException());
                    }
                    if (Thread.currentThread().getName().equals(arguments[1])) {
                        throw new AssertionError("the statement was too much");
                    }
                    return InMemoryPostgres.Fate.DONE;
                }
            });
            CloseableStack service = start(Path.of(arguments[0]), server);
            if (arguments[1].equals(DISPLACED)) {
                displace(server);
            }
            ServiceProcess.runUntilStopped(service);
        }

        private static void displace(InMemoryPostgres server) throws InterruptedException {
            BoundedWait.until(() -> server.holder().isPresent(), PATIENCE, Duration.ofMillis(5));
            CommitTerms others = server.open().terms().orElseThrow();
            BoundedWait.until(
                    () -> others.take(server.holder(), "http://127.0.0.1:1", "elsewhere"),
                    PATIENCE,
                    Duration.ofMillis(5));
        }

        private static CloseableStack start(Path directory, InMemoryPostgres server) throws Exception {
            CloseableStack service = new CloseableStack();
            System.out.println("ready on "
                    + WriterOfPostgres.start(directory, server, service).url());
            return service;
        }
    }
}
