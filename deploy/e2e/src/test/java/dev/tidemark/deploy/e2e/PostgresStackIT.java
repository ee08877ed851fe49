package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.DoctorMain;
import dev.tidemark.deploy.cli.Tidemark;
import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.Endpoints;
import dev.tidemark.deploy.stack.PostgresPrograms;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.SteadyClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** {@code tidemark stack} with two writers on a PostgreSQL that it starts. */
@Execution(ExecutionMode.CONCURRENT)
@TakesTurns(turn = 0, of = 3)
class PostgresStackIT {
    private static final String TABLE = "people";
    private static final String[] OPTIONS = {"--facts", "postgresql", "--writers", "2"};
    private static final int ROWS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration STEP = Duration.ofMillis(50);

    private final Path catalog = StackUnderTest.resource("/e2e/kills.yaml");
    private final TableDefinition table =
            StackUnderTest.readCatalog(catalog).table(TABLE).orElseThrow();
    private final People people = new People(new Random(5));

    @BeforeAll
    static void requirePostgres() throws Exception {
        assumeTrue(
                PostgresPrograms.findOrUnpack(System.getenv()).isPresent(),
                "PostgreSQL is not there, so that a stack on it is not tried");
    }

    @Test
    void theOtherWriterGoesOnAfterAKillAndEverythingIsThereAfterAStop() throws Exception {
        String url;
        try (CommandStack stack = CommandStack.start("postgres-stack", catalog, OPTIONS)) {
            List<Facts> writers = requireEndpoints(stack);
            url = stack.endpoints().facts();
            putThrough(writers, 0);
            requireEqual(stack, ROWS);
            requireDoctorPleased(stack);

            ChildId active = activeOf(writers);
            stack.awaitRestart(active, stack.kill(active));
            putThrough(writers, ROWS);
            requireEqual(stack, 2 * ROWS);
            requireEnds(stack);

            try (CommandStack again = stack.again(catalog, OPTIONS)) {
                assertThat(again.endpoints().facts()).startsWith(url.substring(0, url.lastIndexOf(':')));
                putThrough(requireEndpoints(again), 2 * ROWS);
                requireEqual(again, 3 * ROWS);
                again.killAlone();
                await("all children end")
                        .atMost(PATIENCE)
                        .until(() -> again.running().isEmpty());
            }
        }
    }

    private static List<Facts> requireEndpoints(CommandStack stack) throws IOException {
        Endpoints endpoints = stack.endpoints();
        assertThat(endpoints.writers()).hasSize(2).doesNotHaveDuplicates();
        assertThat(endpoints.facts()).startsWith("jdbc:postgresql://127.0.0.1:");
        assertThat(Stream.of("broker", "postgresql", "writer", "writer-2", "worker"))
                .allSatisfy(child ->
                        assertThat(stack.data().resolve(child + ".pid")).isNotEmptyFile());
        return endpoints.writers().stream().map(Facts::new).toList();
    }

    /** Each row by another writer than the one before it. */
    private void putThrough(List<Facts> writers, int from) throws InterruptedException {
        for (int i = from; i < from + ROWS; i++) {
            String key = "p" + i;
            Facts writer = writers.get(i % writers.size());
            await("row " + key).atMost(PATIENCE).pollInterval(STEP).until(() -> isPut(writer, key));
        }
    }

    /** A writer that has just lost the other one refuses for a moment. */
    private boolean isPut(Facts writer, String key) throws InterruptedException {
        try {
            return writer.put(TABLE, key, people.row(key)).ok();
        } catch (IOException e) {
            return false;
        }
    }

    private void requireEqual(CommandStack stack, int rows) throws Exception {
        for (URI writer : stack.endpoints().writers()) {
            assertThat(new Facts(writer).scan(TABLE)).hasSize(rows);
        }
        new LagReachesZero(stack.indexes(), new SteadyClock()).check(table);
        new IndexesEqualFacts(stack.facts(), stack.indexes()).check(table);
    }

    private void requireDoctorPleased(CommandStack stack) throws Exception {
        Path postgres = stack.data().resolve("postgresql");
        Path settings = Files.write(
                stack.data().resolve("doctor.properties"),
                List.of(
                        "data.dir=" + stack.data().resolve("doctor"),
                        "catalog.file=" + catalog,
                        "kafka.bootstrap.servers=" + stack.endpoints().broker(),
                        "facts.url=" + stack.endpoints().facts(),
                        "facts.user=tidemark",
                        "facts.password.file=" + postgres.resolve("password")));
        Terminals.Recorded screen = Terminals.Recorded.pipe();
        HttpServices services = new HttpServices();
        Tidemark.commandLine(
                        new CommandContext(services, services, screen.terminal(), work -> {}),
                        List.of(),
                        List.of(new DoctorMain()))
                .execute("doctor", "--json", "--writer-config=" + settings);
        JsonNode found =
                RowJson.parse(screen.out().getBytes(StandardCharsets.UTF_8)).path("findings");
        assertThat(StreamSupport.stream(found.spliterator(), false)
                        .filter(one -> one.path("check").asText().contains("facts"))
                        .map(one -> one.path("check").asText() + " "
                                + one.path("verdict").asText()))
                .containsExactly("writer facts ok", "facts on disk ok", "facts rights ok", "facts connections ok");
    }

    private static ChildId activeOf(List<Facts> writers) throws Exception {
        boolean waits = writers.get(0).http().get("/health/ready").body().contains("passes requests on");
        return new ChildId(Role.WRITER, waits ? 2 : 1);
    }

    private static void requireEnds(CommandStack stack) throws Exception {
        List<Long> children = stack.running();
        assertThat(children).hasSize(5);
        assertThat(stack.terminate()).as("exit code of the stack").isZero();
        assertThat(children)
                .noneMatch(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
        assertThat(Files.readString(stack.data().resolve("postgresql.log"))).contains("database system is shut down");
    }
}
