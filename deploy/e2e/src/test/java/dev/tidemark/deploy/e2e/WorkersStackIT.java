package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.Endpoints;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.deploy.text.WorkerLines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * {@code tidemark stack} with two replica groups of two workers. Alone, because other stacks are late beside six
 * processes.
 */
@Isolated
@TakesTurns(turn = 0, of = 3)
class WorkersStackIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int WORKERS = 4;
    private static final ChildId THIRD = new ChildId(Role.WORKER, 3);

    private final Path catalog = StackUnderTest.resource("/e2e/kills.yaml");

    @Test
    void runsRestartsAndEndsAllWorkersOfBothGroups() throws Exception {
        try (CommandStack stack =
                CommandStack.start("workers-stack", catalog, "--workers", "2", "--replica-groups", "2")) {
            Endpoints endpoints = stack.endpoints();
            assertThat(endpoints.writers()).containsExactly(stack.facts().http().base());
            assertThat(endpoints.workers())
                    .hasSize(WORKERS)
                    .doesNotHaveDuplicates()
                    .startsWith(stack.indexes().http().base());
            assertThat(endpoints.facts()).isEqualTo("rocksdb");
            requireFilesOf(stack);
            requireAllReady(endpoints);
            requireEachGroupHasEveryPartition(endpoints.broker());
            requireLastWorkerShowsAll(endpoints);

            long killed = stack.kill(THIRD);
            stack.awaitRestart(THIRD, killed);
            assertThat(stack.endpoints()).isEqualTo(endpoints);
            requireAllReady(endpoints);
            requireEachGroupHasEveryPartition(endpoints.broker());
            requireEndsWithItsChildren(stack);
        }
    }

    private static void requireFilesOf(CommandStack stack) throws IOException {
        assertThat(IntStream.rangeClosed(1, WORKERS).mapToObj(number -> new ChildId(Role.WORKER, number)))
                .extracting(ChildId::label)
                .allSatisfy(label -> {
                    assertThat(stack.data().resolve(label + ".pid")).isNotEmptyFile();
                    assertThat(stack.data().resolve(label + ".log")).isNotEmptyFile();
                    assertThat(stack.data().resolve(label)).isDirectory();
                });
        assertThat(stack.running()).hasSize(2 + WORKERS);
    }

    private static void requireAllReady(Endpoints endpoints) {
        HttpServices services = new HttpServices();
        for (URI worker : endpoints.workers()) {
            await().atMost(PATIENCE).until(() -> services.isReady(worker));
        }
    }

    private void requireEachGroupHasEveryPartition(String broker) {
        List<TopicPartition> all = StackUnderTest.readCatalog(catalog).tables().stream()
                .flatMap(table -> IntStream.range(0, table.partitions())
                        .mapToObj(partition -> new TopicPartition(ChangeTopic.nameFor(table.name()), partition)))
                .toList();
        List<String> groups = List.of("tidemark-index-worker.a", "tidemark-index-worker.b");
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker))) {
            await().atMost(PATIENCE).untilAsserted(() -> {
                Collection<ConsumerGroupDescription> found =
                        admin.describeConsumerGroups(groups).all().get().values();
                assertThat(found).hasSize(2).allSatisfy(group -> {
                    assertThat(group.members())
                            .hasSize(2)
                            .allSatisfy(member -> assertThat(assigned(member)).isNotEmpty());
                    assertThat(group.members().stream().flatMap(WorkersStackIT::assigned))
                            .containsExactlyInAnyOrderElementsOf(all);
                });
            });
        }
    }

    private static void requireLastWorkerShowsAll(Endpoints endpoints) throws ServiceException {
        WorkerApi last = new HttpServices().worker(endpoints.workers().get(WORKERS - 1));
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode shown = last.workers();
            assertThat(shown.path("workers").findValuesAsText("url"))
                    .containsExactlyInAnyOrderElementsOf(
                            endpoints.workers().stream().map(URI::toString).toList());
            assertThat(shown.path("unowned")).isEmpty();
            assertThat(WorkerLines.render(
                            shown, Duration.ZERO, Terminals.Recorded.pipe().terminal()))
                    .hasSize(2 + WORKERS)
                    .noneMatch(line -> line.contains("unknown"));
        });
    }

    private static Stream<TopicPartition> assigned(MemberDescription member) {
        return member.assignment().topicPartitions().stream();
    }

    private static void requireEndsWithItsChildren(CommandStack stack) throws Exception {
        List<Long> children = stack.running();
        assertThat(stack.terminate()).as("exit code of the stack").isZero();
        assertThat(children)
                .noneMatch(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
        try (Stream<Path> files = Files.list(stack.data())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.endsWith(".pid") || name.equals(Endpoints.FILE));
        }
    }
}
