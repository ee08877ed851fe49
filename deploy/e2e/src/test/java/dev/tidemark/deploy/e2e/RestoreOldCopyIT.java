package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.backup.BackupPart;
import dev.tidemark.deploy.backup.NewBackup;
import dev.tidemark.deploy.backup.Restore;
import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.settings.CatalogFile;

import static org.assertj.core.api.Assertions.assertThat;

/** Fact tables that go back in time are noticed, another epoch begins, and the indexes follow. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesTurns(turn = 2, of = 3)
class RestoreOldCopyIT {
    private static final String TABLE = "people";
    private static final int ROWS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(20);
    private static final Path CATALOG = StackUnderTest.resource("/e2e/kills.yaml");

    private final People people = new People(new Random(7));
    private final StackUnderTest stack;

    RestoreOldCopyIT() throws Exception {
        stack = StackUnderTest.start("restored", settings -> settings.withCatalog(CATALOG));
    }

    @AfterAll
    void end() {
        stack.close();
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void aBackupMadeWhileInUseIsPutBackAndIndexesFollowIt() throws Exception {
        long epoch = epoch();
        load(0, ROWS);
        List<Fact> copied = settle();
        Path backup = StackUnderTest.emptyDirectory("restored-backup");
        Path data = stack.stack().settings().data();
        backUp(backup);
        String lost = goOn();

        stack.kill(Role.WORKER);
        stack.kill(Role.WRITER);
        StackUnderTest.deleteTree(data.resolve("writer/facts"));
        StackUnderTest.deleteTree(data.resolve("worker/shards"));
        assertThat(Restore.run(backup, data, BackupPart.chosen(Optional.empty())))
                .hasSize(2);
        stack.startAgain(Role.WRITER);
        stack.startAgain(Role.WORKER);

        requireFollowed(epoch + 1, copied, lost);
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void aDataDirectoryOfTheWriterThatWasPutBackAsAWholeIsNoticedByTheTopics() throws Exception {
        long epoch = epoch();
        long version = version();
        load(0, ROWS);
        List<Fact> copied = settle();
        Path data = stack.dataOf(Role.WRITER);
        Path copy = StackUnderTest.emptyDirectory("put-back-copy");
        stack.kill(Role.WRITER);
        copyTree(data, copy);
        stack.startAgain(Role.WRITER);
        order("pause", version).requireOk();
        String lost = goOn();
        BoundedWait.until(() -> hasPublished(version + 1), PATIENCE, STEP);

        stack.kill(Role.WRITER);
        StackUnderTest.deleteTree(data);
        copyTree(copy, data);
        stack.startAgain(Role.WRITER);

        // The version was published, so it is not given again, however early somebody asks.
        assertThat(order("pause", version).status()).isEqualTo(412);
        order("resume", version + 1).requireOk();
        requireFollowed(epoch + 1, copied, lost);
    }

    private boolean hasPublished(long version) {
        try {
            return Files.readString(stack.stack().child(Role.WRITER).spec().logFile())
                    .contains("Published version " + version + " of the definitions");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer order(String order, long version) throws Exception {
        return stack.facts()
                .http()
                .send(
                        "POST",
                        "/v1/catalog/orders",
                        "{\"order\":\"" + order + "\",\"table\":\"" + TABLE + "\",\"index\":\"by_town\"}",
                        Map.of("Content-Type", "application/json", "If-Match", "\"" + version + "\""));
    }

    /** Writes what is to be lost: new rows, changed ones, deleted ones; the token of a change. */
    private String goOn() throws Exception {
        load(ROWS - 50, ROWS + 50);
        for (int id = 0; id < 20; id++) {
            stack.facts().delete(TABLE, "p" + id).requireOk();
        }
        Answer changed = stack.facts().patch(TABLE, "p100", people.patch()).requireOk();
        settle();
        return changed.json().path("token").asText();
    }

    private void requireFollowed(long epoch, List<Fact> copied, String lost) throws Exception {
        BoundedWait.until(() -> tellsEpoch(epoch), PATIENCE, STEP);
        assertThat(stack.facts().metrics().sum("tidemark_fact_epoch")).isEqualTo((double) epoch);
        load(ROWS, ROWS + 1);
        stack.facts().delete(TABLE, "p" + ROWS).requireOk();
        assertThat(rows(settle())).isEqualTo(rows(copied));
        requireGone(stack.indexes().query("by_town", "token", lost));
        requireGone(stack.indexes().http().get("/v1/receipts/" + lost));
    }

    private long epoch() throws IOException, InterruptedException {
        return stack.facts()
                .http()
                .get("/v1/tables")
                .requireOk()
                .json()
                .path("epoch")
                .asLong();
    }

    /** Of the definitions in force. */
    private long version() throws IOException, InterruptedException {
        return stack.facts()
                .http()
                .get("/v1/catalog")
                .requireOk()
                .json()
                .path("version")
                .asLong();
    }

    private boolean tellsEpoch(long epoch) {
        try {
            return epoch() == epoch;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void requireGone(Answer answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(410);
        assertThat(answer.json().path("detail").asText()).contains("gone back in time");
    }

    private List<Fact> settle() throws Exception {
        TableDefinition table = CatalogFile.read(CATALOG).table(TABLE).orElseThrow();
        new LagReachesZero(stack.indexes(), stack.clock()).check(table);
        return new IndexesEqualFacts(stack.facts(), stack.indexes()).check(table);
    }

    private void backUp(Path to) throws Exception {
        HttpServices services = new HttpServices();
        try (NewBackup backup = NewBackup.at(to)) {
            for (Map.Entry<String, URI> service : List.of(
                    Map.entry("worker", stack.stack().workerUrl()),
                    Map.entry("writer", stack.stack().writerUrl()))) {
                String path = services.backUp(service.getKey(), "old-copy", service.getValue())
                        .path("path")
                        .asText();
                assertThat(backup.take(service.getKey(), Path.of(path))).isPositive();
            }
            backup.complete();
        }
    }

    private void load(int from, int to) throws Exception {
        List<JsonNode> rows = new ArrayList<>();
        for (int id = from; id < to; id++) {
            rows.add(people.row("p" + id));
        }
        stack.facts().load(TABLE, rows, "").requireOk();
    }

    private static List<JsonNode> rows(List<Fact> facts) {
        return facts.stream().map(Fact::row).toList();
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path path : tree.sorted().toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        }
    }
}
