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
import java.util.Random;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.backup.NewBackup;
import dev.tidemark.deploy.backup.Restore;
import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.settings.CatalogFile;

import static org.assertj.core.api.Assertions.assertThat;

/** Fact tables that go back in time are noticed, another epoch begins, and the indexes follow. */
@Execution(ExecutionMode.CONCURRENT)
class RestoreOldCopyIT {
    private static final String TABLE = "people";
    private static final int ROWS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path CATALOG = StackUnderTest.resource("/e2e/kills.yaml");

    private final People people = new People(new Random(7));

    @Test
    void aBackupMadeWhileInUseIsPutBackAndIndexesFollowIt() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start("restored", settings -> settings.withCatalog(CATALOG))) {
            load(stack, 0, ROWS);
            List<Fact> copied = settle(stack);
            Path backup = StackUnderTest.emptyDirectory("restored-backup");
            Path data = stack.stack().settings().data();
            backUp(stack, backup);
            String lost = goOn(stack);

            stack.kill(Role.WORKER);
            stack.kill(Role.WRITER);
            StackUnderTest.deleteTree(data.resolve("writer/facts"));
            StackUnderTest.deleteTree(data.resolve("worker/shards"));
            assertThat(Restore.run(backup, data)).hasSize(2);
            stack.startAgain(Role.WRITER);
            stack.startAgain(Role.WORKER);

            requireFollowed(stack, 2, copied, lost);
        }
    }

    @Test
    void aDataDirectoryOfTheWriterThatWasPutBackAsAWholeIsNoticedByTheTopics() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start("put-back", settings -> settings.withCatalog(CATALOG))) {
            load(stack, 0, ROWS);
            List<Fact> copied = settle(stack);
            Path data = stack.dataOf(Role.WRITER);
            Path copy = StackUnderTest.emptyDirectory("put-back-copy");
            stack.kill(Role.WRITER);
            copyTree(data, copy);
            stack.startAgain(Role.WRITER);
            order(stack, "pause", 1).requireOk();
            String lost = goOn(stack);
            BoundedWait.until(() -> hasPublished(stack, 2), PATIENCE, Duration.ofMillis(20));

            stack.kill(Role.WRITER);
            StackUnderTest.deleteTree(data);
            copyTree(copy, data);
            stack.startAgain(Role.WRITER);

            // Version 2 was published, so it is not given again, however early somebody asks.
            assertThat(order(stack, "pause", 1).status()).isEqualTo(412);
            order(stack, "resume", 2).requireOk();
            requireFollowed(stack, 2, copied, lost);
        }
    }

    private static boolean hasPublished(StackUnderTest stack, long version) {
        try {
            return Files.readString(stack.stack().child(Role.WRITER).spec().logFile())
                    .contains("Published version " + version + " of the definitions");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer order(StackUnderTest stack, String order, long version) throws Exception {
        return stack.facts()
                .http()
                .send(
                        "POST",
                        "/v1/catalog/orders",
                        "{\"order\":\"" + order + "\",\"table\":\"" + TABLE + "\",\"index\":\"by_town\"}",
                        Map.of("Content-Type", "application/json", "If-Match", "\"" + version + "\""));
    }

    /** Writes what is to be lost: new rows, changed ones, deleted ones; the token of a change. */
    private String goOn(StackUnderTest stack) throws Exception {
        load(stack, ROWS - 50, ROWS + 50);
        for (int id = 0; id < 20; id++) {
            stack.facts().delete(TABLE, "p" + id).requireOk();
        }
        Answer changed = stack.facts().patch(TABLE, "p100", people.patch()).requireOk();
        settle(stack);
        return changed.json().path("token").asText();
    }

    private void requireFollowed(StackUnderTest stack, long epoch, List<Fact> copied, String lost) throws Exception {
        BoundedWait.until(() -> tellsEpoch(stack, epoch), PATIENCE, Duration.ofMillis(20));
        assertThat(stack.facts().metrics().sum("tidemark_fact_epoch")).isEqualTo((double) epoch);
        load(stack, ROWS, ROWS + 1);
        stack.facts().delete(TABLE, "p" + ROWS).requireOk();
        assertThat(rows(settle(stack))).isEqualTo(rows(copied));
        requireGone(stack.indexes().query("by_town", "token", lost));
        requireGone(stack.indexes().http().get("/v1/receipts/" + lost));
    }

    private static boolean tellsEpoch(StackUnderTest stack, long epoch) {
        try {
            Answer tables = stack.facts().http().get("/v1/tables").requireOk();
            return tables.json().path("epoch").asLong() == epoch;
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

    private static List<Fact> settle(StackUnderTest stack) throws Exception {
        TableDefinition table = CatalogFile.read(CATALOG).table(TABLE).orElseThrow();
        new LagReachesZero(stack.indexes(), stack.clock()).check(table);
        return new IndexesEqualFacts(stack.facts(), stack.indexes()).check(table);
    }

    private static void backUp(StackUnderTest stack, Path to) throws Exception {
        HttpServices services = new HttpServices();
        NewBackup backup = NewBackup.at(to);
        for (Map.Entry<String, URI> service : List.of(
                Map.entry("worker", stack.stack().workerUrl()),
                Map.entry("writer", stack.stack().writerUrl()))) {
            String path = services.backUp(service.getKey(), service.getValue())
                    .path("path")
                    .asText();
            assertThat(backup.take(service.getKey(), Path.of(path))).isPositive();
        }
        backup.complete();
    }

    private void load(StackUnderTest stack, int from, int to) throws Exception {
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
