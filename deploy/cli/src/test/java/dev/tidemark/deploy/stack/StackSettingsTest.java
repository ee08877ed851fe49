package dev.tidemark.deploy.stack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class StackSettingsTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void numbersTheWorkersFromTheFirstGroupOn() {
        StackSettings settings = settings(2, 3);

        assertThat(settings.children(Role.WORKER))
                .extracting(ChildId::label)
                .containsExactly("worker", "worker-2", "worker-3", "worker-4", "worker-5", "worker-6");
        assertThat(settings.children(Role.WORKER))
                .extracting(child -> settings.replicaGroup(child.number()))
                .containsExactly("a", "a", "b", "b", "c", "c");
        assertThat(settings.children(Role.WRITER)).containsExactly(ChildId.first(Role.WRITER));
    }

    @Test
    void namesGroupsAfterZWithTwoLetters() {
        StackSettings settings = settings(1, 28);

        assertThat(settings.replicaGroup(26)).isEqualTo("z");
        assertThat(settings.replicaGroup(27)).isEqualTo("aa");
        assertThat(settings.replicaGroup(28)).isEqualTo("ab");
    }

    @Test
    void leavesTheFirstWorkerItsPortAndGivesTheOthersDifferentOnes() {
        StackPorts before = StackPorts.free();

        StackPorts after = before.withWorkers(8);

        assertThat(after.worker()).isEqualTo(before.worker());
        assertThat(new HashSet<>(after.workers()))
                .hasSize(8)
                .doesNotContain(before.broker(), before.controller(), before.writer());
    }

    @Test
    void givesEachWorkerItsOwnPlaceAndAllOneWriter() {
        StackSettings settings = settings(1, 2).with(Role.WORKER, "apply.threads", "3");
        ChildSpecs specs = new ChildSpecs(new Installation(directory, Path.of("java")), settings);

        List<String> second = specs.of(new ChildId(Role.WORKER, 2)).command();

        int port = settings.ports().workers().get(1);
        assertThat(second)
                .contains(
                        "http.port=" + port,
                        "advertised.url=http://127.0.0.1:" + port,
                        "replica.group=b",
                        "writer.url=http://127.0.0.1:" + settings.ports().writer(),
                        "data.dir=" + settings.data().resolve("worker-2"),
                        "apply.threads=3");
        assertThat(specs.of(ChildId.first(Role.WORKER)).command())
                .contains("replica.group=a", "data.dir=" + settings.data().resolve("worker"));
    }

    @Test
    void givesAllWritersTheSameFactsAndPortsOfTheirOwn() {
        StackSettings settings = settings(1, 1).withOwnPostgresql().withWriters(2);
        ChildSpecs specs = new ChildSpecs(new Installation(directory, Path.of("java")), settings);

        assertThat(settings.children(Role.POSTGRESQL)).containsExactly(ChildId.first(Role.POSTGRESQL));
        assertThat(settings.children(Role.WRITER)).extracting(ChildId::label).containsExactly("writer", "writer-2");
        assertThat(specs.of(new ChildId(Role.WRITER, 2)).command())
                .contains(
                        "http.port=" + settings.ports().writers().get(1),
                        "data.dir=" + settings.data().resolve("writer-2"),
                        "facts.url=jdbc:postgresql://127.0.0.1:"
                                + settings.facts().port() + "/tidemark",
                        "facts.user=tidemark",
                        "facts.password.file=" + settings.postgresql().password());
        assertThat(specs.of(ChildId.first(Role.WORKER)).command())
                .contains("writer.url=http://127.0.0.1:"
                        + settings.ports().writers().get(0) + ",http://127.0.0.1:"
                        + settings.ports().writers().get(1));
    }

    @Test
    void refusesASecondWriterWithTablesOfItsOwn() {
        StackSettings settings = settings(1, 1);

        assertThat(settings.children(Role.POSTGRESQL)).isEmpty();
        assertThatThrownBy(() -> settings.withWriters(2)).hasMessageContaining("Expected facts that writers can share");
    }

    @Test
    void writesTheEndpointsForPrograms() throws Exception {
        Endpoints endpoints = new Endpoints(
                "127.0.0.1:9092", List.of(ChildSpecs.url(8081)), List.of(ChildSpecs.url(8082)), "rocksdb");

        endpoints.write(directory);
        endpoints.write(directory);

        assertThat(directory.resolve(Endpoints.FILE))
                .hasContent("{\"broker\":\"127.0.0.1:9092\",\"writers\":[\"http://127.0.0.1:8081\"],"
                        + "\"workers\":[\"http://127.0.0.1:8082\"],\"facts\":\"rocksdb\"}");
        assertThat(RowJson.as(Endpoints.class, RowJson.parse(Files.readAllBytes(directory.resolve(Endpoints.FILE)))))
                .isEqualTo(endpoints);
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
    }

    private StackSettings settings(int workers, int groups) {
        return StackSettings.of(directory, directory.resolve("catalog.yaml"), StackPorts.free())
                .withWorkers(workers, groups);
    }
}
