package dev.tidemark.deploy.e2e;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.load.TurnsClient;
import dev.tidemark.deploy.e2e.running.AnotherWriter;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.FactsPlace;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.testkit.UnusedPort;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.postgres.TestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Two writers of one PostgreSQL database, of which the active one is killed, suspended and stopped under load. */
@Isolated("it measures, and several stacks at a time would make it measure them")
@TakesTurns(turn = 1, of = 3)
class TakeoverIT {
    private static final String TABLE = "people";
    private static final Path CATALOG = StackUnderTest.resource("/e2e/built.yaml");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(20);

    /** A standby takes over within this time. */
    private static final Duration TAKEOVER = Duration.ofSeconds(5);

    private static final Duration LOAD = Duration.ofSeconds(1);
    private static final int KILLS = 2;

    private final List<String> timing = new ArrayList<>();

    /** A writer and where it answers. */
    private record Writer(ChildProcess process, Facts facts) {}

    @Test
    void noWriteIsLostOrDoneTwiceWhileWritersTakeTurns() throws Exception {
        FactsSettings database = TestServer.of(TestServer.Version.DEBIAN_15).database();
        int port = UnusedPort.find();
        try (StackUnderTest stack = StackUnderTest.start("takeover", settings -> of(database, port, settings));
                AnotherWriter other =
                        AnotherWriter.start(stack, StackUnderTest.emptyDirectory("takeover-second"), port)) {
            Writer first = new Writer(stack.child(Role.WRITER), stack.facts());
            Writer second = new Writer(other.process(), other.facts());
            awaitStandby(second);
            List<URI> urls =
                    List.of(first.facts().http().base(), second.facts().http().base());
            List<TurnsClient> clients = Stream.of("a", "b", "c")
                    .map(name -> new TurnsClient(urls, TABLE, name, stack.clock()))
                    .toList();
            try {
                BoundedWait.rest(LOAD);
                for (int kill = 0; kill < KILLS; kill += 2) {
                    killed(stack, first, clients);
                    killed(stack, second, clients);
                }
                suspended(stack, first, second, clients);
                stopped(stack, second, first, clients);
                BoundedWait.rest(LOAD);
            } finally {
                for (TurnsClient client : clients) {
                    client.end();
                }
            }
            requireAll(stack, clients);
        } finally {
            System.out.println("Takeover: " + String.join(", ", timing));
        }
    }

    private static StackSettings of(FactsSettings database, int port, StackSettings settings) {
        return settings.withCatalog(CATALOG)
                .withFacts(FactsPlace.at(database.url(), database.user().orElseThrow(), database.passwordFile()))
                .with(
                        Role.WORKER,
                        "writer.url",
                        "http://127.0.0.1:" + settings.ports().writer() + ",http://127.0.0.1:" + port);
    }

    private void killed(StackUnderTest stack, Writer active, List<TurnsClient> clients) throws Exception {
        Instant killed = stack.clock().instant();
        active.process().kill();
        awaitWrites(stack, "kill", killed, clients);
        assertThat(active.process().awaitEnd(PATIENCE)).isTrue();
        comeBack(active);
    }

    private void suspended(StackUnderTest stack, Writer active, Writer standby, List<TurnsClient> clients)
            throws Exception {
        Instant suspended = stack.clock().instant();
        active.process().suspend();
        try {
            awaitActive(standby);
            took("suspended", suspended, stack);
        } finally {
            active.process().resume();
        }
        assertThat(active.process().awaitEnd(PATIENCE)).isTrue();
        assertThat(active.process().exitCode()).isEqualTo(ServiceProcess.GAVE_UP);
        awaitWrites(stack, "after resume", stack.clock().instant(), clients);
        comeBack(active);
    }

    private void stopped(StackUnderTest stack, Writer active, Writer standby, List<TurnsClient> clients)
            throws Exception {
        Instant stopped = stack.clock().instant();
        active.process().requestEnd();
        assertThat(active.process().awaitEnd(PATIENCE)).isTrue();
        awaitWrites(stack, "stop", stopped, clients);
        assertThat(active.process().exitCode()).isZero();
        // A command that names both writers finds the one that is there.
        assertThat(new HttpServices()
                        .writer(
                                active.facts().http().base(),
                                standby.facts().http().base())
                        .inForce()
                        .version())
                .isPositive();
        comeBack(active);
    }

    private static void comeBack(Writer writer) throws Exception {
        writer.process().start();
        AnotherWriter.awaitAnswers(writer.facts());
        awaitStandby(writer);
        BoundedWait.rest(LOAD);
    }

    private static void awaitStandby(Writer writer) {
        awaitReady(writer, "\"name\":\"standby\"");
    }

    private static void awaitActive(Writer writer) {
        awaitReady(writer, "\"name\":\"committer\"");
    }

    private static void awaitReady(Writer writer, String check) {
        await(check).atMost(PATIENCE).pollInterval(STEP).until(() -> {
            var ready = writer.facts().http().get("/health/ready");
            return ready.ok() && ready.body().contains(check);
        });
    }

    private void awaitWrites(StackUnderTest stack, String what, Instant since, List<TurnsClient> clients) {
        await("writes after " + what)
                .atMost(PATIENCE)
                .pollInterval(STEP)
                .until(() -> clients.stream().allMatch(client -> client.hasWrittenSince(since.plusMillis(100))));
        await("steady writes").atMost(PATIENCE).pollInterval(STEP).until(() -> {
            Instant lately = stack.clock().instant().minusMillis(300);
            return clients.stream().allMatch(client -> client.hasWrittenSince(lately));
        });
        Duration gap = clients.stream()
                .map(client -> client.longestGap(since))
                .max(Duration::compareTo)
                .orElseThrow();
        timing.add(what + " " + gap.toMillis() + " ms");
        assertThat(gap).as(what).isLessThan(TAKEOVER);
    }

    private void took(String what, Instant since, StackUnderTest stack) {
        Duration time = Duration.between(since, stack.clock().instant());
        timing.add(what + " " + time.toMillis() + " ms");
        assertThat(time).as(what).isLessThan(TAKEOVER);
    }

    private void requireAll(StackUnderTest stack, List<TurnsClient> clients) throws Exception {
        assertThat(clients).allSatisfy(client -> assertThat(client.wrong()).isEmpty());
        Map<String, Integer> expected = new HashMap<>();
        clients.forEach(client -> expected.putAll(client.acknowledged()));
        List<String> unknown =
                clients.stream().flatMap(client -> client.unknown().stream()).toList();
        timing.add(expected.size() + " rows, " + unknown.size() + " unknown");
        new LagReachesZero(stack.indexes(), stack.clock()).check(stack.table(TABLE));
        Map<String, Integer> found = new IndexesEqualFacts(stack.facts(), stack.indexes())
                .check(stack.table(TABLE)).stream()
                        .collect(Collectors.toMap(
                                fact -> fact.row().path("personId").asText(),
                                fact -> fact.row().path("score").asInt()));
        unknown.stream().filter(key -> !expected.containsKey(key)).forEach(found::remove);
        assertThat(found).isEqualTo(expected);
        assertThat(new VerifyJobs(stack, TABLE, PATIENCE)
                        .run("full", false)
                        .path("equal")
                        .asBoolean())
                .isTrue();
    }
}
