package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Caller;
import dev.tidemark.deploy.e2e.running.ShardTamper;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.SteadyClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Goes on from the directories and topics of the version before, which {@code .ci/fixture} made: they were left after a
 * kill, with changes that were acknowledged and not published.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesTurns(turn = 1, of = 3)
class UpgradeIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path CATALOG = StackUnderTest.resource("/e2e/upgrade/second.yaml");

    private final StackUnderTest stack;

    /** Of the services: shards that were away for days would be built again. */
    private final Duration clockOffset;

    UpgradeIT() throws Exception {
        Path made = unpacked(StackUnderTest.emptyDirectory("upgrade-expected")).resolve("expected/made");
        Instant later = Instant.parse(Files.readString(made).strip()).plusSeconds(60);
        clockOffset = Duration.between(Instant.now(), later);
        stack = StackUnderTest.start("upgrade", this::before);
    }

    @AfterAll
    void end() {
        stack.close();
    }

    @Test
    void goesOnWhereTheVersionBeforeWasKilledAndLeavesWhatANewerVersionWrote() throws Exception {
        requireEverythingIsThereAndPublished();
        requireTokensAndCursorsAreTaken();
        requireQuarantineRefusedRowsAndTheGenerationBefore();
        requireANewerShardIsLeftAsItIs();
        requireANewerHighWaterMarkIsRefused();
    }

    private void requireEverythingIsThereAndPublished() throws Exception {
        String token = expected("unpublished").path("token").asText();
        assertThat(stack.indexes()
                        .query("people.by_town", "town", "Unpublished", "token", token, "wait", "20s")
                        .requireOk()
                        .json()
                        .path("entries"))
                .hasSize(2);
        TableDefinition people = stack.table("people");
        new LagReachesZero(stack.indexes(), Clock.offset(stack.clock(), clockOffset)).check(people);

        new IndexesEqualFacts(stack.facts(), stack.indexes()).check(people);
        for (String table : List.of("people", "notes")) {
            assertThat(get("/v1/tables/" + table + "/rows?limit=100").path("rows"))
                    .as("rows and versions of %s", table)
                    .isEqualTo(expected(table).path("rows"));
        }
        JsonNode verified = new VerifyJobs(stack, "people", PATIENCE).run("full", false);
        assertThat(verified.path("indexes"))
                .as("two indexes, and a generation before")
                .hasSize(3)
                .allSatisfy(index -> {
                    for (String kind :
                            List.of("missing", "dangling", "stale", "bad_covered", "duplicate", "undecided")) {
                        assertThat(index.path(kind).asInt(-1)).as("%s", index).isZero();
                    }
                });
        assertThat(stack.facts().metrics().sum("tidemark_outbox_pending_records"))
                .isZero();
        assertThat(log(Role.WORKER))
                .contains("Shard people-0 is open at offset")
                .doesNotContain("Building shard");
    }

    private void requireTokensAndCursorsAreTaken() throws Exception {
        for (String write : List.of("published", "published-delete", "unpublished-insert", "unpublished-delete")) {
            String token = expected(write).path("token").asText();
            Answer receipt = stack.indexes().http().get("/v1/receipts/" + token + "?wait=20s");
            assertThat(receipt.status()).as("%s", receipt).isEqualTo(200);
        }
        Answer entries = stack.indexes()
                .query(
                        "people.by_town",
                        "cursor",
                        expected("entries").path("next").asText());
        assertThat(entries.status()).as("%s", entries).isEqualTo(200);
        assertThat(entries.json().path("entries")).isNotEmpty();
        assertThat(get("/v1/tables/people/rows?cursor="
                                + Caller.encode(expected("rows").path("next").asText()))
                        .path("rows"))
                .isNotEmpty();
    }

    private void requireQuarantineRefusedRowsAndTheGenerationBefore() throws Exception {
        JsonNode quarantine =
                stack.indexes().http().get("/v1/quarantine").requireOk().json();
        assertThat(quarantine.path("records")).as("%s", quarantine).hasSize(1);
        assertThat(stack.indexes().describe("notes", "by_rank").path("state").asText())
                .isEqualTo("degraded");
        assertThat(stack.indexes().metrics().sum("tidemark_index_refused_rows", "table", "notes", "index", "by_rank"))
                .isOne();

        stack.indexes()
                .http()
                .send("POST", "/v1/indexes/people.by_town/rollback", "", Map.of())
                .requireOk();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(stack.indexes()
                                .query("people.by_town", "town", "Moved")
                                .json()
                                .at("/entries/0/row/skills/0")
                                .asText())
                        .isEqualTo("a"));
    }

    private void requireANewerShardIsLeftAsItIs() throws Exception {
        assertThat(stack.terminate(Role.WORKER)).isZero();
        try (ShardTamper shard = ShardTamper.open(stack.dataOf(Role.WORKER), "people", 0)) {
            shard.setFormat(100);
        }
        stack.child(Role.WORKER).start();

        await().atMost(PATIENCE)
                .pollInterval(100, TimeUnit.MILLISECONDS)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(
                                stack.indexes().http().get("/health/ready").body())
                        .contains("at most, but it has format 100: a newer version of Tidemark wrote it"));
        assertThat(stack.indexes().query("notes.by_tag", "tag", "t0").status()).isEqualTo(200);
        stack.kill(Role.WORKER);
        try (ShardTamper shard = ShardTamper.open(stack.dataOf(Role.WORKER), "people", 0)) {
            assertThat(shard.format()).isEqualTo(100);
        }
    }

    private void requireANewerHighWaterMarkIsRefused() throws Exception {
        assertThat(stack.terminate(Role.WRITER)).isZero();
        Path witness = stack.dataOf(Role.WRITER).resolve("witness");
        ByteBuffer records = ByteBuffer.wrap(Files.readAllBytes(witness));
        CRC32C checksum = new CRC32C();
        checksum.update(records.put(7, (byte) 2).array(), 0, 32);
        Files.write(witness, records.putLong(32, checksum.getValue()).array());

        stack.child(Role.WRITER).start();

        assertThat(stack.child(Role.WRITER).awaitEnd(PATIENCE)).isTrue();
        assertThat(stack.child(Role.WRITER).exitCode()).isEqualTo(2);
        assertThat(log(Role.WRITER)).contains("witness to have format 1 at most, but it has format 2: a newer version");
    }

    private StackSettings before(StackSettings settings) {
        unpacked(settings.data());
        Map<String, String> clock = Map.of(SteadyClock.OFFSET, clockOffset.toString());
        return settings.withCatalog(CATALOG).withProperties(Role.WRITER, clock).withProperties(Role.WORKER, clock);
    }

    private static Path unpacked(Path directory) {
        Path archive = StackUnderTest.resource("/e2e/upgrade/before.tar.gz");
        try {
            Process tar = new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", directory.toString())
                    .inheritIO()
                    .start();
            assertThat(tar.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(tar.exitValue()).isZero();
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private JsonNode expected(String name) throws IOException {
        Path file = stack.stack().settings().data().resolve("expected").resolve(name);
        return RowJson.mapper().readTree(file.toFile());
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return stack.facts().http().get(path).requireOk().json();
    }

    private String log(Role role) throws IOException {
        return Files.readString(stack.child(role).spec().logFile());
    }
}
