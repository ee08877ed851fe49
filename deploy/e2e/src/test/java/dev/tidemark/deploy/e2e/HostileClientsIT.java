package dev.tidemark.deploy.e2e;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.drill.hostile.Flood;
import dev.tidemark.deploy.drill.hostile.Scripts;
import dev.tidemark.deploy.drill.hostile.Scripts.Script;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Caller;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.testkit.SecretFiles;

import static org.assertj.core.api.Assertions.assertThat;

/** Slow clients cost a connection and not a thread: everybody else is answered. How fast is measured by a benchmark. */
@Execution(ExecutionMode.CONCURRENT)
class HostileClientsIT {
    private static final int CONNECTIONS = 400;
    private static final int CALLS = 20;
    private static final int LARGE_ROWS = 10;
    private static final int LARGE_ROW = 900_000;
    private static final int LARGE_READERS = 100;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration FLOOD_STEP = Duration.ofMillis(10);

    /** Longer than a busy machine needs, and shorter than threads that wait for slow clients are held. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** What a writer and a worker answer whose machine did not let them run. */
    private static final List<String> PAUSED = List.of("this process stood still", "this worker did not run");

    private static final String TABLE = "people";
    private static final Path CATALOG = StackUnderTest.resource("/e2e/kills.yaml");
    private static final String OURS = "ours-0123456789-0123456789";
    private static final String THEIRS = "theirs-0123456789-01234567";
    private static final String TOKENS = "{'tokens':["
            + "{'name':'ours','token':'" + OURS + "','scopes':['*']},"
            + "{'name':'theirs','token':'" + THEIRS + "','scopes':['read:metrics']}]}";

    private final Clock clock = new SteadyClock();

    @TempDir
    private Path directory = Path.of("");

    /** Moves the hostile clients. */
    private record Mover(List<Flood> floods, Clock clock) implements Agent {
        @Override
        public String roleName() {
            return "hostile-clients";
        }

        @Override
        public int doWork() {
            Instant now = clock.instant();
            floods.forEach(flood -> flood.tick(now));
            return 0;
        }
    }

    @Test
    @TakesTurns(turn = 0, of = 2)
    void slow_clients_keep_nobody_out_where_no_token_is_asked_for() throws Exception {
        try (StackUnderTest stack =
                StackUnderTest.start("hostile-clients", settings -> settings.withCatalog(CATALOG))) {
            requireAnswersUnderFlood(stack, Map.of(), "");
            requireAnswersBesideSlowReadersOfLargePages(stack);
        }
    }

    @Test
    @TakesTurns(turn = 1, of = 2)
    void slow_clients_keep_nobody_out_whether_they_show_a_token_or_not() throws Exception {
        Path tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS);
        Path token = SecretFiles.write(directory.resolve("ours"), OURS);
        try (StackUnderTest stack =
                StackUnderTest.start("hostile-strangers", settings -> secured(settings, tokens, token))) {
            requireAnswersUnderFlood(
                    stack, Map.of("Authorization", "Bearer " + OURS), "Authorization: Bearer " + THEIRS + "\r\n");
        }
    }

    private void requireAnswersUnderFlood(StackUnderTest stack, Map<String, String> ours, String theirs)
            throws Exception {
        Caller writer = new Caller(stack.stack().writerUrl());
        Caller worker = new Caller(stack.stack().workerUrl());
        // A service that is cold has more to do for each of many connections than a busy machine lets it do in time.
        for (int i = 0; i < 200; i++) {
            put(writer, "row-" + i, ours).requireOk();
            worker.get("/health/live").requireOk();
        }
        List<Flood> floods = new ArrayList<>();
        for (String headers : theirs.isEmpty() ? List.of("") : List.of("", theirs)) {
            int each = CONNECTIONS / (theirs.isEmpty() ? 1 : 2);
            floods.add(flood(Role.WRITER, writer.base(), each, headers));
            floods.add(flood(Role.WORKER, worker.base(), each, headers));
        }
        AgentRunner mover = AgentRunner.start(new Mover(floods, clock), FLOOD_STEP);
        try {
            Thread.sleep(WARM_UP.toMillis());
            requireAnswers(writer, worker, ours);
        } finally {
            mover.close(Duration.ofSeconds(5));
            floods.forEach(Flood::close);
        }
        assertThat(floods).allMatch(Flood::hasHit);
        assertThat(floods).flatExtracting(flood -> flood.findings(PATIENCE)).isEmpty();
        assertThat(stack.child(Role.WRITER).isAlive()).isTrue();
        assertThat(stack.child(Role.WORKER).isAlive()).isTrue();
    }

    /** Each page would take several megabytes, and all of them more memory than there is. */
    private void requireAnswersBesideSlowReadersOfLargePages(StackUnderTest stack) throws Exception {
        Caller writer = new Caller(stack.stack().writerUrl());
        Caller worker = new Caller(stack.stack().workerUrl());
        for (int i = 0; i < LARGE_ROWS; i++) {
            String key = "large-" + i;
            put(writer, key, "Bigtown", LARGE_ROW, Map.of()).requireOk();
        }
        stack.settle(TABLE);
        String path = "/v1/indexes/" + TABLE + ".by_town/entries?town=Bigtown";
        String request = "GET " + path + " HTTP/1.1\r\nHost: " + worker.base().getAuthority() + "\r\n\r\n";
        Script slow = new Script("slow reader of a large page", request, "", Script.Reading.SLOWLY, false);
        List<Flood> flood = List.of(new Flood(Role.WORKER.label(), worker.base(), List.of(slow), LARGE_READERS));
        List<Duration> queries = new ArrayList<>();
        AgentRunner mover = AgentRunner.start(new Mover(flood, clock), FLOOD_STEP);
        try {
            Thread.sleep(WARM_UP.toMillis());
            for (int i = 0; i < CALLS; i++) {
                queries.add(timed(() -> worker.get("/v1/indexes/" + TABLE + ".by_town/entries?town=Redmond&limit=20")));
            }
        } finally {
            mover.close(Duration.ofSeconds(5));
            flood.forEach(Flood::close);
        }
        assertThat(queries).allSatisfy(HostileClientsIT::requireShort);
        assertThat(flood).allMatch(Flood::hasHit);
        assertThat(stack.child(Role.WORKER).isAlive()).isTrue();
        assertThat(stack.child(Role.WORKER).spec().logFile()).content().doesNotContain("OutOfMemoryError");
    }

    private void requireAnswers(Caller writer, Caller worker, Map<String, String> ours) throws Exception {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            String key = "row-" + i;
            times.add(timed(() -> writer.get("/health/live")));
            times.add(timed(() -> worker.get("/health/live")));
            times.add(timed(() -> put(writer, key, ours)));
            times.add(timed(() ->
                    worker.send("GET", "/v1/indexes/" + TABLE + ".by_town/entries?town=Redmond&limit=20", "", ours)));
        }
        assertThat(times).allSatisfy(HostileClientsIT::requireShort);
    }

    private static void requireShort(Duration time) {
        assertThat(time).isLessThan(PATIENCE);
    }

    /** How long a call takes. A service that was paused by the machine says so, and is called again as it asks. */
    private Duration timed(Callable<Answer> call) throws Exception {
        Instant begun = clock.instant();
        Answer answer = call.call();
        while (isPaused(answer) && isShort(begun)) {
            Thread.sleep(FLOOD_STEP.toMillis());
            answer = call.call();
        }
        answer.requireOk();
        return Duration.between(begun, clock.instant());
    }

    private static boolean isPaused(Answer answer) {
        return answer.status() == 503 && PAUSED.stream().anyMatch(answer.body()::contains);
    }

    private boolean isShort(Instant begun) {
        return Duration.between(begun, clock.instant()).compareTo(PATIENCE) < 0;
    }

    private static Answer put(Caller writer, String key, Map<String, String> headers) throws Exception {
        return put(writer, key, "Redmond", 2_000, headers);
    }

    private static Answer put(Caller writer, String key, String town, int bytes, Map<String, String> headers)
            throws Exception {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Content-Type", "application/json");
        String row = "{\"personId\":\"" + key + "\",\"town\":\"" + town + "\",\"text\":\"" + "x".repeat(bytes) + "\"}";
        return writer.send("PUT", Facts.pathOf(TABLE, key), row, all);
    }

    private static Flood flood(Role role, URI url, int connections, String headers) {
        Scripts scripts = new Scripts(url.getAuthority(), headers);
        Stream<Script> all = (role == Role.WRITER
                        ? scripts.forWriter(TABLE, "personId")
                        : scripts.forWorker(TABLE, TABLE + ".by_town"))
                .stream();
        return new Flood(role.label(), url, all.filter(Script::isSlow).toList(), connections);
    }

    private static StackSettings secured(StackSettings settings, Path tokens, Path own) {
        return settings.withCatalog(CATALOG)
                .with(Role.WRITER, "auth.tokens.file", tokens.toString())
                .with(Role.WORKER, "auth.tokens.file", tokens.toString())
                .with(Role.WORKER, "writer.token.file", own.toString());
    }
}
