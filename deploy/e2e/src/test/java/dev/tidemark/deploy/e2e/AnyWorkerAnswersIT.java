package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.e2e.load.GroupReaders;
import dev.tidemark.deploy.e2e.running.AnotherWorker;
import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.e2e.running.TcpProxy;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.testkit.UnusedPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Replica groups of two workers: any worker answers for all, while one of them dies, stops, is cut off or is started
 * anew.
 */
@Execution(ExecutionMode.CONCURRENT)
class AnyWorkerAnswersIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CLIENTS = Integer.getInteger("any.worker.clients", 8);

    /** Longer than a lease, so that others have its partitions when it goes on. */
    private static final int STOPPED_SECONDS = Integer.getInteger("any.worker.stopped", 8);

    private static final Duration CUT = Duration.ofSeconds(4);

    /** On a quiet machine the usual 2 s are enough; here much else may run. */
    private static final String WAIT = System.getProperty("any.worker.wait", "20s");

    private static final String NEWEST = "consumer";
    private static final Path CATALOG = StackUnderTest.resource("/e2e/group-catalog.yaml");

    @ParameterizedTest(name = "with the group protocol {0}")
    @MethodSource("protocols")
    @TakesTurns(turn = 1, of = 6)
    void whileWorkersAreKilledStoppedAndRestartedEveryQuestionIsAnsweredInWhole(String protocol) throws Exception {
        Map<String, String> environment = Map.of("TIDEMARK_WORKER_KAFKA_GROUP_PROTOCOL", protocol);
        try (CommandStack stack = CommandStack.start(
                "any-worker-" + protocol, CATALOG, environment, "--workers", "2", "--replica-groups", "2")) {
            List<URI> workers = stack.endpoints().workers();
            workers.forEach(worker -> await().atMost(PATIENCE).untilAsserted(() -> requireAllOwned(worker)));
            try (GroupReaders readers =
                    GroupReaders.start(stack.endpoints().writers().get(0), workers, WAIT, CLIENTS)) {
                ChildId third = new ChildId(Role.WORKER, 3);
                stack.awaitRestart(third, stack.kill(third));
                // Another fault comes once this one is over: with two at a time, no worker may have a partition.
                workers.forEach(worker -> await().atMost(PATIENCE).untilAsserted(() -> requireAllOwned(worker)));
                long second = stack.pid(new ChildId(Role.WORKER, 2));
                signal("STOP", second);
                TimeUnit.SECONDS.sleep(STOPPED_SECONDS);
                signal("CONT", second);
                awaitAllWhole(readers, workers);
                if (protocol.equals(NEWEST)) {
                    restartTheOthers(stack, readers, workers);
                }
                readers.finish();
            }
            await().atMost(PATIENCE).untilAsserted(() -> requireAllOwned(workers.get(0)));
        }
    }

    private static List<String> protocols() {
        return List.of(System.getProperty("any.worker.protocols", NEWEST).split(",", -1));
    }

    /** Those that nothing happened to so far, one of each group. */
    private static void restartTheOthers(CommandStack stack, GroupReaders readers, List<URI> workers) throws Exception {
        for (int number : List.of(1, workers.size())) {
            ChildId next = new ChildId(Role.WORKER, number);
            long before = stack.pid(next);
            signal("TERM", before);
            stack.awaitRestart(next, before);
            awaitAllWhole(readers, workers);
        }
    }

    @Test
    @TakesTurns(turn = 4, of = 6)
    void aWorkerThatOthersCannotReachIsNotMissed() throws Exception {
        int port = UnusedPort.find();
        try (TcpProxy network = TcpProxy.to(port);
                StackUnderTest stack = StackUnderTest.start(
                        "cut-worker", settings -> settings.withCatalog(CATALOG).withWorkers(1, 1));
                AnotherWorker apart = AnotherWorker.start(
                        stack,
                        "apart",
                        port,
                        List.of(),
                        List.of("group.instance.id=none", "advertised.url=http://127.0.0.1:" + network.port()));
                AnotherWorker other = AnotherWorker.start(
                        stack,
                        "other",
                        UnusedPort.find(),
                        List.of(),
                        List.of("group.instance.id=none", "replica.group=b"))) {
            List<URI> workers = List.of(stack.indexes().http().base(), other.url());
            workers.forEach(worker -> await().atMost(PATIENCE).untilAsserted(() -> requireAllOwned(worker)));
            try (GroupReaders readers = GroupReaders.start(stack.facts().http().base(), workers, WAIT, CLIENTS)) {
                awaitAllWhole(readers, workers);
                for (TcpProxy.Network bad : List.of(TcpProxy.Network.SILENT, TcpProxy.Network.CUT)) {
                    network.become(bad);
                    BoundedWait.rest(CUT);
                    network.become(TcpProxy.Network.GOOD);
                    awaitAllWhole(readers, workers);
                }
                readers.finish();
            }
            requireAllOwned(apart.url());
        }
    }

    private static void awaitAllWhole(GroupReaders readers, List<URI> workers) {
        workers.forEach(worker -> await().atMost(PATIENCE).until(() -> readers.isWhole(worker)));
        int before = readers.answers();
        await().atMost(PATIENCE).until(() -> readers.answers() > before + CLIENTS);
    }

    private static void requireAllOwned(URI worker) throws Exception {
        Answer answer = new Indexes(worker).http().get("/v1/workers").requireOk();
        JsonNode json = answer.json();
        assertThat(json.path("workers")).as(json.toString()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(json.path("unowned")).as(json.toString()).isEmpty();
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }
}
