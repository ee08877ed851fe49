package dev.tidemark.deploy.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.Endpoint;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the manifests name is there: pods, ports, files, other manifests. */
class ManifestsTest {
    private final List<StatefulSet> sets = Manifests.all(StatefulSet.class);
    private final Kafka kafka = Manifests.all(Kafka.class).get(0);

    @Test
    void readingRefusesWhatAClusterWouldIgnoreOrRefuse() {
        String good = Manifests.text("writer.yaml");
        assertThat(Manifests.parse(good)).hasSize(4);
        for (String[] change : new String[][] {
            {"replicas: 1", "replica: 1"},
            {"replicas: 1", "replicas: one"},
            {"runAsNonRoot:", "runAsNoRoot:"},
            {"periodSeconds: 10", "periodSeconds: \"10\""},
            {"serviceName: tidemark-writer", "serviceName: 1"},
            {"replicas: 1", "replicas: 1\n  replicas: 1"},
            {"kind: PodDisruptionBudget", "kind: PodDisruptionBudge"},
        }) {
            assertThat(good).contains(change[0]);
            assertThatThrownBy(() -> Manifests.parse(good.replace(change[0], change[1])))
                    .as("%s", change[1])
                    .isInstanceOf(RuntimeException.class);
        }
        String users = Manifests.text("users.yaml");
        assertThatThrownBy(() -> Manifests.parse(users.replace("patternType:", "pattern:")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void kustomizeReadsEveryFile() {
        Set<String> read = new TreeSet<>(Manifests.resources());
        for (Object generator : (List<?>) Manifests.kustomization().getOrDefault("configMapGenerator", List.of())) {
            read.addAll(Manifests.strings(((Map<?, ?>) generator).get("files")));
        }
        read.add("kustomization.yaml");
        assertThat(Manifests.files()).containsExactlyInAnyOrderElementsOf(read);
    }

    @Test
    void replicaGroupsDifferInTheirLetterAndInThatOneIsUpdatedByItself() {
        assertThat(withoutComments("worker-a.yaml")
                        .replaceAll("\\ba\\b", "b")
                        .replace("type: RollingUpdate", "type: OnDelete"))
                .contains("worker-b")
                .isEqualTo(withoutComments("worker-b.yaml"));
    }

    private static String withoutComments(String file) {
        return Manifests.text(file).replaceAll("(?m)^ *#.*\n", "");
    }

    @Test
    void everyPodIsFoundByItsServiceItsBudgetAndItsPolicy() {
        List<PodDisruptionBudget> budgets = Manifests.all(PodDisruptionBudget.class);
        List<NetworkPolicy> policies = Manifests.all(NetworkPolicy.class);
        List<Service> services = Manifests.all(Service.class);
        assertThat(budgets).hasSize(2);
        for (StatefulSet set : sets) {
            assertThat(selects(set.getSpec().getSelector(), set)).isTrue();
            assertThat(budgets)
                    .filteredOn(budget -> selects(budget.getSpec().getSelector(), set))
                    .singleElement()
                    .satisfies(budget -> assertThat(set.getMetadata().getName())
                            .startsWith(budget.getMetadata().getName()));
            assertThat(policies)
                    .filteredOn(policy -> selects(policy.getSpec().getPodSelector(), set))
                    .singleElement()
                    .satisfies(policy ->
                            assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress"));
            assertThat(services)
                    .filteredOn(service -> labels(set)
                            .entrySet()
                            .containsAll(service.getSpec().getSelector().entrySet()))
                    .allSatisfy(service -> assertThat(service.getSpec().getPorts())
                            .singleElement()
                            .satisfies(port -> assertReaches(port, set)))
                    .extracting(service -> service.getMetadata().getName())
                    .contains(set.getSpec().getServiceName());
        }
    }

    @Test
    void policiesLetThroughWhatServicesDo() {
        Map<String, List<String>> reached = new TreeMap<>();
        for (NetworkPolicy policy : Manifests.all(NetworkPolicy.class)) {
            List<String> rules = new ArrayList<>();
            policy.getSpec()
                    .getIngress()
                    .forEach(rule -> rule.getPorts()
                            .forEach(port -> rules.add("in " + names(rule.getFrom()) + " "
                                    + port.getPort().getIntVal())));
            policy.getSpec()
                    .getEgress()
                    .forEach(rule -> rule.getPorts()
                            .forEach(port -> rules.add("out " + names(rule.getTo()) + " "
                                    + port.getPort().getIntVal())));
            reached.put(policy.getMetadata().getName(), rules);
        }
        String broker = "out [tidemark] "
                + kafka.getSpec().getKafka().getListeners().get(0).getPort();
        List<String> dns = List.of("out [] 53", "out [] 53", "out [] 5353", "out [] 5353");
        List<String> writer = new ArrayList<>(List.of("in [worker, true] 8081", broker));
        writer.addAll(dns);
        List<String> worker =
                new ArrayList<>(List.of("in [worker, true] 8082", "out [worker] 8082", "out [writer] 8081", broker));
        worker.addAll(dns);
        assertThat(reached).isEqualTo(Map.of("tidemark-writer", writer, "tidemark-worker", worker));
    }

    @Test
    void prometheusScrapesEachServiceOnceByTheNameThatAlertsExpect() {
        List<String> jobs = new ArrayList<>();
        for (ServiceMonitor monitor : Manifests.all(ServiceMonitor.class)) {
            Endpoint endpoint = monitor.getSpec().getEndpoints().get(0);
            assertThat(endpoint.getPath()).isEqualTo("/metrics");
            assertThat(endpoint.getScheme()).isEqualTo("https");
            Map<String, String> wanted = monitor.getSpec().getSelector().getMatchLabels();
            assertThat(Manifests.all(Service.class))
                    .filteredOn(service -> has(service.getMetadata().getLabels(), wanted))
                    .singleElement()
                    .satisfies(service -> {
                        assertThat(service.getSpec().getPorts().get(0).getName())
                                .isEqualTo(endpoint.getPort());
                        assertThat(endpoint.getRelabelings())
                                .singleElement()
                                .satisfies(relabeling ->
                                        assertThat(relabeling.getTargetLabel()).isEqualTo("__address__"))
                                .satisfies(relabeling -> assertThat(relabeling.getReplacement())
                                        .contains("tidemark-")
                                        .endsWith(".svc:"
                                                + service.getSpec()
                                                        .getPorts()
                                                        .get(0)
                                                        .getPort()));
                        jobs.add(service.getMetadata().getName());
                    });
        }
        assertThat(jobs).containsExactlyInAnyOrder("tidemark-writer", "tidemark-worker");
    }

    @Test
    void kafkaKeepsEachRecordTwiceWhileOneOfItsBrokersIsAway() {
        assertThat(kafka.getSpec().getKafka().getConfig())
                .containsEntry("min.insync.replicas", 2)
                .containsEntry("default.replication.factor", 3);
        assertThat(Manifests.all(KafkaNodePool.class)).singleElement().satisfies(pool -> {
            assertThat(pool.getSpec().getReplicas()).isEqualTo(3);
            assertThat(pool.getMetadata().getLabels())
                    .containsEntry("strimzi.io/cluster", kafka.getMetadata().getName());
        });
    }

    private static void assertReaches(ServicePort port, StatefulSet set) {
        assertThat(set.getSpec().getTemplate().getSpec().getContainers().get(0).getPorts())
                .singleElement()
                .satisfies(own -> {
                    assertThat(own.getName()).isEqualTo(port.getTargetPort().getStrVal());
                    assertThat(own.getContainerPort()).isEqualTo(port.getPort());
                });
    }

    /** The last part of what each peer's labels say. */
    private static List<String> names(List<NetworkPolicyPeer> peers) {
        return peers.stream()
                .map(peer -> {
                    Map<String, String> labels = peer.getPodSelector().getMatchLabels();
                    return labels.getOrDefault(
                            "app.kubernetes.io/component",
                            labels.values().iterator().next());
                })
                .toList();
    }

    private static Map<String, String> labels(StatefulSet set) {
        return set.getSpec().getTemplate().getMetadata().getLabels();
    }

    private static boolean selects(LabelSelector selector, StatefulSet set) {
        return has(labels(set), selector.getMatchLabels());
    }

    private static boolean has(Map<String, String> labels, Map<String, String> wanted) {
        return labels != null && labels.entrySet().containsAll(wanted.entrySet());
    }
}
