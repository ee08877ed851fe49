package dev.tidemark.deploy.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import dev.tidemark.settings.SettingsReader;
import dev.tidemark.testkit.SourceTree;
import dev.tidemark.worker.WorkerConfig;

import static org.assertj.core.api.Assertions.assertThat;

/** The services of the sample for containers get settings that exist, and reach each other. */
class ComposeFileTest {
    private final Path root = SourceTree.ofProject().root();
    private final Map<String, Map<String, Object>> services = new TreeMap<>();

    ComposeFileTest() throws Exception {
        String text = Files.readString(root.resolve("deploy/samples/compose.yaml"));
        Map<String, Map<String, Map<String, Object>>> document =
                new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        services.putAll(document.getOrDefault("services", Map.of()));
    }

    @Test
    void twoReplicaGroupsOfTwoWorkersAreReachedAtTheNamesOfTheirContainers() throws Exception {
        Map<String, String> groups = new TreeMap<>();
        for (String name : services.keySet()) {
            if (name.startsWith("worker-")) {
                Map<String, String> environment = environment(name);
                WorkerConfig config = WorkerConfig.of(new SettingsReader("worker", WorkerConfig.definition())
                        .read(Optional.empty(), environment, List.of()));
                assertThat(config.advertisedUrl()).hasToString("http://" + name + ":8082");
                assertThat(config.http().allowedHosts()).containsExactly(name);
                assertThat(config.writerUrls().get(0)).hasToString("http://writer:8081");
                groups.put(name, config.replicaGroup());
            }
        }
        assertThat(groups).isEqualTo(Map.of("worker-a1", "a", "worker-a2", "a", "worker-b1", "b", "worker-b2", "b"));
    }

    @Test
    void theWriterIsReachedAtTheNameOfItsContainer() {
        assertThat(environment("writer")).containsEntry("TIDEMARK_WRITER_HTTP_ALLOWED_HOSTS", "writer");
    }

    @Test
    void threeBrokersKeepEachRecordTwiceWhileOneIsAway() {
        assertThat(services.keySet())
                .filteredOn(name -> name.startsWith("broker-"))
                .hasSize(3)
                .allSatisfy(name -> assertThat(environment(name))
                        .containsEntry("KAFKA_MIN_INSYNC_REPLICAS", "2")
                        .containsEntry("KAFKA_ADVERTISED_LISTENERS", "CLIENTS://" + name + ":9092"));
        assertThat(environment("writer")).containsEntry("TIDEMARK_WRITER_TOPIC_REPLICATION_FACTOR", "3");
    }

    @Test
    void noVariableIsIgnoredBecauseItNamesNoSetting() {
        Set<String> settings = SourceTree.lines(root.resolve("docs/configuration.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3))
                        .toUpperCase(Locale.ROOT)
                        .replace('.', '_'))
                .collect(Collectors.toSet());

        assertThat(services.keySet())
                .flatMap(name -> environment(name).keySet())
                .filteredOn(variable -> variable.startsWith("TIDEMARK_"))
                .map(variable -> variable.replaceFirst("TIDEMARK_(WORKER|WRITER)_", ""))
                .hasSizeGreaterThan(30)
                .allMatch(name -> settings.contains(name) || name.startsWith("KAFKA_"));
    }

    private Map<String, String> environment(String service) {
        Map<String, String> environment = new TreeMap<>();
        ((Map<?, ?>) services.getOrDefault(service, Map.of()).getOrDefault("environment", Map.of()))
                .forEach((key, value) -> environment.put(key.toString(), value.toString()));
        return environment;
    }
}
