package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.AnotherWriter;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.e2e.running.TcpProxy;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.testkit.UnusedPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Of two writers on the same topics, one on a copy of the other's data directory, one is believed at a time. */
@Execution(ExecutionMode.CONCURRENT)
class TwoWritersIT {
    private static final String TABLE = "people";
    private static final int COPIED = 300;
    private static final int ROWS = 360;
    private static final Path CATALOG = StackUnderTest.resource("/e2e/built.yaml");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(20);

    /** Longer than a writer has to be silent to be taken for gone. */
    private static final Duration LONGER_THAN_SILENCE = Duration.ofSeconds(4);

    private static final Duration TO_NOTICE = Duration.ofSeconds(10);

    /** A worker asks its writer in this time, and waits for the answer as long. */
    private static final Duration UNTIL_ASKED = Duration.ofMillis(1_500);

    private final People people = new People(new Random(3));
    private final List<String> timing = new ArrayList<>();

    @Test
    @TakesTurns(turn = 2, of = 6)
    void theWriterOnACopyWaitsThenTakesOverAndTheSuspendedOneEndsWhenItGoesOn() throws Exception {
        try (TcpProxy writer = TcpProxy.to(0);
                StackUnderTest stack = StackUnderTest.start("two-writers", settings -> behind(writer, settings))) {
            int port = UnusedPort.find();
            load(stack.facts(), 0, COPIED);
            Path directory = copy(stack);
            load(stack.facts(), COPIED, ROWS);
            try (AnotherWriter second = AnotherWriter.start(stack, directory, port)) {
                requireWaiting(second.facts(), placeOf(stack));
                long epoch = epochOf(stack.facts());
                takeOver(stack, second);
                writer.redirect(port);
                assertThat(epochOf(second.facts())).isGreaterThan(epoch);
                load(second.facts(), COPIED - 100, COPIED);
                second.facts().delete(TABLE, "p1").requireOk();
                requireEqual(stack, second.facts());
                JsonNode verified = new VerifyJobs(stack, TABLE, PATIENCE).run("full", false);
                assertThat(verified.path("equal").asBoolean())
                        .as("%s", verified)
                        .isTrue();
                readAgain(stack, second.facts());

                firstComesBackInVain(stack, second);
                requireEqual(stack, second.facts());
            }
            await("the first one takes over").atMost(PATIENCE).until(() -> isTaken(stack.facts(), 2));
            // The clock of the second one may have been ahead, and only the first can say now that its own is not.
            writer.redirect(stack.stack().writerUrl().getPort());
            requireEqual(stack, stack.facts());
        } finally {
            System.out.println("Two writers: " + String.join(", ", timing));
        }
    }

    /** The worker knows its writer by an address that leads to one of the two. */
    private static StackSettings behind(TcpProxy writer, StackSettings settings) {
        writer.redirect(settings.ports().writer());
        return settings.withCatalog(CATALOG).with(Role.WORKER, "writer.url", "http://127.0.0.1:" + writer.port());
    }

    /** The second one waits as long as the first publishes, though nobody writes. */
    private void requireWaiting(Facts second, String place) throws Exception {
        assertThat(second.get(TABLE, "p1").requireOk().json().path("personId").asText())
                .isEqualTo("p1");
        awaitRefusal(second, place);
        BoundedWait.rest(LONGER_THAN_SILENCE);
        requireRefusal(second, place);
        assertThat(pause(second).status()).as("a change of definitions").isEqualTo(503);
    }

    /** From its first answer on a writer takes nothing; soon it knows of the other. */
    private void awaitRefusal(Facts writer, String place) {
        await("it names " + place).atMost(PATIENCE).pollInterval(STEP).until(() -> {
            Answer write = put(writer, "refused");
            assertThat(write.status()).as("%s", write).isEqualTo(503);
            return write.body().contains(place);
        });
    }

    private void requireRefusal(Facts writer, String place) throws Exception {
        Answer write = put(writer, "refused");
        assertThat(write.status()).as("%s", write).isEqualTo(503);
        assertThat(write.header("Retry-After")).matches("[1-9]\\d*");
        assertThat(write.json().path("detail").asText())
                .contains("another writer of this deployment is at work: " + place);
        Answer ready = writer.http().get("/health/ready");
        assertThat(ready.status()).as("%s", ready).isEqualTo(503);
        assertThat(ready.body()).contains(place);
    }

    private void takeOver(StackUnderTest stack, AnotherWriter second) throws Exception {
        ChildProcess first = stack.child(Role.WRITER);
        CompletableFuture<Answer> late;
        first.suspend();
        try {
            Instant suspended = stack.clock().instant();
            late = putLater(stack.facts());
            await("the second one takes over")
                    .atMost(PATIENCE)
                    .pollInterval(STEP)
                    .until(() -> isTaken(second.facts(), 1));
            took("take-over", stack, suspended);
            // The suspended one is asked for the last version meanwhile, and answers when it goes on.
            BoundedWait.rest(UNTIL_ASKED);
        } finally {
            first.resume();
        }
        Instant resumed = stack.clock().instant();
        assertThat(first.awaitEnd(TO_NOTICE)).as("the first one ends").isTrue();
        took("end of the first", stack, resumed);
        assertThat(first.exitCode()).isEqualTo(ServiceProcess.REPLACED);
        assertThat(Files.readString(first.spec().logFile()))
                .contains("another writer of this deployment has taken over: "
                        + placeOf(second.process(), second.data()));
        requireNotTaken(late);
    }

    /** What was under way to the first one when it was suspended is not acknowledged after the second took over. */
    private static void requireNotTaken(CompletableFuture<Answer> late) throws Exception {
        Answer answer = late.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(answer.status()).as("%s", answer).isEqualTo(503);
    }

    /** A worker that has nothing reads all there is. */
    private void readAgain(StackUnderTest stack, Facts writer) throws Exception {
        assertThat(stack.terminate(Role.WORKER)).isZero();
        StackUnderTest.deleteTree(stack.dataOf(Role.WORKER));
        stack.startAgain(Role.WORKER);
        requireEqual(stack, writer);
    }

    private void firstComesBackInVain(StackUnderTest stack, AnotherWriter second) throws Exception {
        stack.child(Role.WRITER).start();
        AnotherWriter.awaitAnswers(stack.facts());
        String place = placeOf(second.process(), second.data());
        awaitRefusal(stack.facts(), place);
        Instant end = stack.clock().instant().plus(LONGER_THAN_SILENCE);
        while (stack.clock().instant().isBefore(end)) {
            requireRefusal(stack.facts(), place);
            put(second.facts(), "meanwhile").requireOk();
            BoundedWait.rest(STEP);
        }
        assertThat(stack.child(Role.WRITER).isAlive()).isTrue();
        assertThat(second.log()).doesNotContain("has taken over");
    }

    private void requireEqual(StackUnderTest stack, Facts writer) throws Exception {
        new LagReachesZero(stack.indexes(), stack.clock()).check(stack.table(TABLE));
        new IndexesEqualFacts(writer, stack.indexes()).check(stack.table(TABLE));
    }

    private boolean isTaken(Facts writer, int id) throws InterruptedException {
        try {
            return put(writer, "p" + id).ok();
        } catch (IOException e) {
            return false;
        }
    }

    private Answer put(Facts writer, String key) throws IOException, InterruptedException {
        return writer.put(TABLE, key, people.row(key));
    }

    private CompletableFuture<Answer> putLater(Facts writer) throws InterruptedException {
        JsonNode row = people.row("late");
        CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return writer.put(TABLE, "late", row);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        });
        BoundedWait.rest(STEP);
        return answer;
    }

    private static Answer pause(Facts writer) throws IOException, InterruptedException {
        return writer.http()
                .send(
                        "POST",
                        "/v1/catalog/orders",
                        "{\"order\":\"pause\",\"table\":\"" + TABLE + "\",\"index\":\"by_town\"}",
                        Map.of("Content-Type", "application/json", "If-Match", "\"1\""));
    }

    private void load(Facts writer, int from, int to) throws Exception {
        List<JsonNode> rows = new ArrayList<>();
        IntStream.range(from, to).forEach(id -> rows.add(people.row("p" + id)));
        writer.load(TABLE, rows, "").requireOk();
    }

    /** Has the running writer copy its tables to a directory of their own; what is beside them stays behind. */
    private static Path copy(StackUnderTest stack) throws IOException {
        Path directory = StackUnderTest.emptyDirectory("two-writers-second");
        JsonNode[] made = new JsonNode[1];
        // Refused until the topics have been read.
        await().atMost(PATIENCE).ignoreException(ServiceException.class).until(() -> {
            made[0] =
                    new HttpServices().backUp("writer", "second", stack.stack().writerUrl());
            return true;
        });
        Files.move(Path.of(made[0].path("path").asText()), directory.resolve("data"));
        return directory;
    }

    private static String placeOf(StackUnderTest stack) throws IOException {
        return placeOf(stack.child(Role.WRITER), stack.dataOf(Role.WRITER));
    }

    private static String placeOf(ChildProcess process, Path data) throws IOException {
        return "process " + process.handle().orElseThrow().pid() + " on host "
                + InetAddress.getLocalHost().getHostName() + " with data directory " + data;
    }

    private static long epochOf(Facts writer) throws IOException, InterruptedException {
        return writer.http().get("/v1/tables").requireOk().json().path("epoch").asLong();
    }

    private void took(String what, StackUnderTest stack, Instant since) {
        timing.add(what + " " + Duration.between(since, stack.clock().instant()).toMillis() + " ms");
    }
}
