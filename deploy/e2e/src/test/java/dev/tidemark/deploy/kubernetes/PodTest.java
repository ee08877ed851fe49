package dev.tidemark.deploy.kubernetes;

import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.strimzi.api.kafka.model.kafka.Kafka;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.tidemark.http.SecuritySettings;
import dev.tidemark.settings.CatalogFile;
import dev.tidemark.testkit.SourceTree;
import dev.tidemark.worker.WorkerConfig;

import static org.assertj.core.api.Assertions.assertThat;

/** A pod gives its service settings that exist, files that are mounted, and the limits that systemd's units have. */
class PodTest {
    private static final SourceTree TREE = SourceTree.ofProject();

    static Stream<Pod> pods() {
        return Manifests.all(StatefulSet.class).stream().map(Pod::new);
    }

    @Test
    void thereAreOneWriterAndTwoReplicaGroups() {
        assertThat(pods().map(Pod::name))
                .containsExactly("tidemark-writer-0", "tidemark-worker-a-0", "tidemark-worker-b-0");
        assertThat(pods().findFirst().orElseThrow().set().getSpec().getReplicas())
                .isEqualTo(1);
    }

    @Test
    void theCatalogIsOne() throws Exception {
        assertThat(CatalogFile.read(Manifests.DIRECTORY.resolve("catalog.yaml")).tables())
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("pods")
    void eachVariableIsASetting(Pod pod) {
        String prefix = "TIDEMARK_" + pod.service().toUpperCase(Locale.ROOT) + "_";
        assertThat(pod.environment().keySet())
                .filteredOn(name -> name.startsWith("TIDEMARK_"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name).startsWith(prefix))
                .map(name ->
                        name.substring(prefix.length()).toLowerCase(Locale.ROOT).replace('_', '.'))
                .allMatch(key -> pod.definition().names().contains(key) || key.startsWith("kafka."));
    }

    @ParameterizedTest
    @MethodSource("pods")
    void theServiceListensInTheOpenOnlyWithTlsAndTokens(Pod pod) throws Exception {
        AbstractConfig settings = pod.settings();
        assertThat(settings.getString("http.host")).isEqualTo("0.0.0.0");
        assertThat(SecuritySettings.of(settings).isClosed()).isTrue();
        assertThat(SecuritySettings.of(settings).insecure()).isFalse();
        // Clients may use any name that the certificate has.
        assertThat(settings.getList("http.allowed.hosts")).isEmpty();
        assertThat(pod.container().getPorts())
                .singleElement()
                .satisfies(port -> assertThat(port.getContainerPort()).isEqualTo(settings.getInt("http.port")));
    }

    @ParameterizedTest
    @MethodSource("pods")
    void eachFileIsOnAVolumeAndOnlyDataIsWrittenToAClaim(Pod pod) throws Exception {
        assertThat(pod.settings().originals().values())
                .map(Object::toString)
                .filteredOn(value -> value.startsWith("/"))
                .hasSizeGreaterThan(4)
                .allMatch(path -> pod.volume(path).isPresent());
        String claim = pod.volume(pod.settings().getString("data.dir")).orElseThrow();
        assertThat(pod.set().getSpec().getVolumeClaimTemplates())
                .singleElement()
                .satisfies(
                        template -> assertThat(template.getMetadata().getName()).isEqualTo(claim));
        assertThat(pod.container().getVolumeMounts())
                .filteredOn(mount -> !Boolean.TRUE.equals(mount.getReadOnly()))
                .extracting(mount -> mount.getMountPath())
                .containsExactly("/data", "/tmp");
        assertThat(pod.container().getVolumeMounts())
                .allMatch(mount -> mount.getName().equals(claim)
                        || pod.defined(mount.getName()).isPresent());
    }

    @ParameterizedTest
    @MethodSource("pods")
    void secretsAreNotForAllAndTheOperationsPageNamesThem(Pod pod) throws Exception {
        String page = Files.readString(TREE.root().resolve("docs/operations.md"));
        List<Volume> secrets = pod.spec().getVolumes().stream()
                .filter(volume -> volume.getSecret() != null)
                .toList();
        assertThat(secrets).hasSize(3).allSatisfy(volume -> {
            assertThat(page).contains("`" + volume.getSecret().getSecretName() + "`");
            assertThat(volume.getName().equals("kafka") || volume.getSecret().getDefaultMode() == 0440)
                    .isTrue();
        });
    }

    @ParameterizedTest
    @MethodSource("pods")
    void settingsComeFromTheFilesOfTheGenerator(Pod pod) {
        String map = pod.defined("settings").orElseThrow().getConfigMap().getName();
        assertThat((List<?>) Manifests.kustomization().getOrDefault("configMapGenerator", List.of()))
                .anySatisfy(generator -> {
                    assertThat(((Map<?, ?>) generator).get("name")).isEqualTo(map);
                    assertThat(Manifests.strings(((Map<?, ?>) generator).get("files")))
                            .contains(pod.service() + ".properties");
                });
    }

    @ParameterizedTest
    @MethodSource("pods")
    void probesAskForPathsThatTheServiceHas(Pod pod) throws Exception {
        Set<String> paths = Set.copyOf(SourceTree.lines(TREE.root()
                .resolve("writer".equals(pod.service()) ? "writer-service" : "index-worker")
                .resolve("src/main/resources/dev/tidemark/" + pod.service() + "/openapi.yaml")));
        for (Probe probe : List.of(
                pod.container().getStartupProbe(),
                pod.container().getLivenessProbe(),
                pod.container().getReadinessProbe())) {
            HTTPGetAction get = probe.getHttpGet();
            assertThat(paths).contains("  " + get.getPath() + ":");
            assertThat(get.getScheme()).isEqualTo("HTTPS");
            // Jetty refuses names that the certificate lacks.
            assertThat(get.getHttpHeaders()).singleElement().satisfies(header -> {
                assertThat(header.getName()).isEqualTo("Host");
                assertThat(header.getValue()).isEqualTo("tidemark-" + pod.service());
            });
            assertThat(get.getPort().getStrVal())
                    .isEqualTo(pod.container().getPorts().get(0).getName());
        }
        assertThat(pod.container().getReadinessProbe().getHttpGet().getPath()).isEqualTo("/health/ready");
        assertThat(pod.container().getLivenessProbe().getHttpGet().getPath()).isEqualTo("/health/live");
    }

    @ParameterizedTest
    @MethodSource("pods")
    void limitsAreThoseOfTheUnit(Pod pod) {
        List<String> unit = SourceTree.lines(
                TREE.root().resolve("deploy/release/src/main/systemd/tidemark-" + pod.service() + ".service"));
        Probe start = pod.container().getStartupProbe();
        Probe live = pod.container().getLivenessProbe();
        Quantity memory = Objects.requireNonNull(
                pod.container().getResources().getLimits().get("memory"));
        assertThat(unit)
                .contains(
                        "TimeoutStopSec=" + pod.spec().getTerminationGracePeriodSeconds(),
                        "TimeoutStartSec=" + start.getPeriodSeconds() * start.getFailureThreshold(),
                        "WatchdogSec=" + live.getPeriodSeconds() * live.getFailureThreshold(),
                        "MemoryMax=" + memory.toString().replace("i", ""));
    }

    @ParameterizedTest
    @MethodSource("pods")
    void thePodMayDoAsLittleAsPossible(Pod pod) {
        PodSecurityContext all = pod.spec().getSecurityContext();
        assertThat(all.getRunAsNonRoot()).isTrue();
        assertThat(all.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(SourceTree.lines(TREE.root().resolve("deploy/container/Dockerfile")))
                .contains("USER " + all.getRunAsUser() + ":" + all.getRunAsGroup());
        assertThat(all.getFsGroup()).isEqualTo(all.getRunAsGroup());
        assertThat(pod.spec().getAutomountServiceAccountToken()).isFalse();
        SecurityContext one = pod.container().getSecurityContext();
        assertThat(one.getReadOnlyRootFilesystem()).isTrue();
        assertThat(one.getAllowPrivilegeEscalation()).isFalse();
        assertThat(one.getCapabilities().getDrop()).containsExactly("ALL");
    }

    @ParameterizedTest
    @MethodSource("pods")
    void theImageHasTheVersionOfTheProject(Pod pod) {
        assertThat(SourceTree.lines(TREE.root().resolve("pom.xml")))
                .contains("  <version>" + imageTag(pod.container().getImage()) + "</version>");
    }

    @ParameterizedTest
    @MethodSource("pods")
    void theServiceFindsTheListenerOfKafka(Pod pod) throws Exception {
        Kafka kafka = Manifests.all(Kafka.class).get(0);
        String cluster = kafka.getMetadata().getName();
        int port = kafka.getSpec().getKafka().getListeners().get(0).getPort();
        assertThat(pod.settings().getString("kafka.bootstrap.servers")).isEqualTo(cluster + "-kafka-bootstrap:" + port);
        assertThat(pod.defined("kafka").orElseThrow().getSecret().getSecretName())
                .isEqualTo(cluster + "-cluster-ca-cert");
    }

    @Test
    void aWorkerIsReachedAtTheNameOfItsPod() throws Exception {
        for (String group : List.of("a", "b")) {
            Pod pod = pods().filter(one -> one.name().equals("tidemark-worker-" + group + "-0"))
                    .findFirst()
                    .orElseThrow();
            WorkerConfig config = WorkerConfig.of(pod.settings());
            assertThat(config.groupInstanceId()).isEqualTo(pod.name());
            assertThat(config.replicaGroup()).isEqualTo(group);
            assertThat(config.advertisedUrl())
                    .hasToString("https://" + pod.name() + "."
                            + pod.set().getSpec().getServiceName() + ".tidemark.svc:8082");
            assertThat(config.writerUrls()).containsExactly(URI.create("https://tidemark-writer:8081"));
        }
    }

    private static String imageTag(String image) {
        return ((List<?>) Manifests.kustomization().getOrDefault("images", List.of()))
                .stream()
                        .map(entry -> (Map<?, ?>) entry)
                        .filter(entry -> image.equals(entry.get("name")))
                        .map(entry -> String.valueOf(entry.get("newTag")))
                        .findFirst()
                        .orElseThrow();
    }
}
