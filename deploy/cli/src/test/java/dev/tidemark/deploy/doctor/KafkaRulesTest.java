package dev.tidemark.deploy.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.deploy.doctor.Finding.Verdict;
import dev.tidemark.deploy.doctor.KafkaFacts.Absent;
import dev.tidemark.deploy.doctor.KafkaFacts.Access;
import dev.tidemark.deploy.doctor.KafkaFacts.Cluster;
import dev.tidemark.deploy.doctor.KafkaFacts.Group;
import dev.tidemark.deploy.doctor.KafkaFacts.Hidden;
import dev.tidemark.deploy.doctor.KafkaFacts.Obstacle;
import dev.tidemark.deploy.doctor.KafkaFacts.Present;
import dev.tidemark.deploy.doctor.KafkaFacts.Topic;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaRulesTest {
    private static final String TOPIC = "tidemark.changes.people";
    private static final Set<String> ALL =
            Set.of("Create", "Delete", "Describe", "DescribeConfigs", "AlterConfigs", "Write", "Read");
    private static final Group READABLE = new Group(Access.PRESENT, Optional.of(Set.of("Describe", "Read")));

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @EnumSource
    void everyObstacleFailsWithServersAndAdvice(Obstacle obstacle) throws Exception {
        assertThat(judged(worker(), new KafkaFacts.Unreached(obstacle, "why")))
                .singleElement()
                .returns(Verdict.FAILED, Finding::verdict)
                .returns("127.0.0.1:9092: why", Finding::found)
                .satisfies(finding -> assertThat(finding.advice()).endsWith(".").isNotBlank());
    }

    @Test
    void aClusterWithAllRightsIsGood() throws Exception {
        assertThat(judged(writer(), cluster(present(ALL), READABLE)))
                .hasSize(3)
                .allMatch(finding -> finding.verdict() == Verdict.OK);
        assertThat(judged(worker(), cluster(present(Set.of("Describe", "DescribeConfigs", "Read")), READABLE)))
                .allMatch(finding -> finding.verdict() == Verdict.OK);
    }

    @Test
    void rightsThatBrokersDoNotShowAreNotMissing() throws Exception {
        Present silent = new Present(2, 3, 3, Map.of(), Optional.empty());

        assertThat(judged(worker(), cluster(silent, new Group(Access.PRESENT, Optional.empty()))))
                .extracting(Finding::verdict)
                .containsExactly(Verdict.OK, Verdict.SKIPPED, Verdict.SKIPPED);
    }

    @Test
    void missingRightsAreNamedWithTheCommandThatGivesThem() throws Exception {
        assertThat(failed(writer(), cluster(present(Set.of("Describe", "DescribeConfigs", "Read", "Write")), READABLE)))
                .returns("no AlterConfigs, Create, Delete on " + TOPIC, Finding::found)
                .satisfies(finding -> assertThat(finding.advice())
                        .contains(
                                "--operation AlterConfigs --operation Create --operation Delete --topic tidemark. ",
                                "prefixed"));
        assertThat(failed(worker(), cluster(new Hidden(), READABLE)).found()).isEqualTo("no Describe on " + TOPIC);
    }

    @Test
    void rightsOnTopicsThatAreNotThereAreSkipped() throws Exception {
        assertThat(judged(worker(), cluster(new Absent(Optional.empty()), READABLE)))
                .filteredOn(finding -> finding.verdict() == Verdict.SKIPPED)
                .extracting(Finding::check)
                .containsExactly("worker topic rights");
    }

    @Test
    void aGroupMayBeThereOrNotAndHasToBeReadable() throws Exception {
        assertThat(failed(worker(), cluster(present(ALL), new Group(Access.PRESENT, Optional.of(Set.of("Describe"))))))
                .returns("no Read on group tidemark-index-worker.a", Finding::found);
        assertThat(failed(writer(), cluster(present(ALL), new Group(Access.REFUSED, Optional.empty()))))
                .satisfies(finding -> assertThat(finding.advice())
                        .contains("--operation Describe --group tidemark-index-worker. --resource-pattern-type"));
        assertThat(failed(worker(), cluster(present(ALL), new Group(Access.NO_COORDINATOR, Optional.empty()))))
                .satisfies(finding -> assertThat(finding.advice()).contains("offsets.topic.replication.factor"));
        assertThat(judged(worker(), cluster(present(ALL), new Group(Access.ABSENT, Optional.empty()))))
                .last()
                .returns(Verdict.SKIPPED, Finding::verdict);
    }

    @Test
    void theNewerGroupProtocolNeedsItsFeature() throws Exception {
        Installed installed = new Installed(directory);
        Cluster cluster = cluster(present(ALL), READABLE);
        ServiceSettings newer = installed.workerSettings("kafka.group.protocol=consumer");

        assertThat(failed(newer, new Cluster("id", 1, Map.of(), Map.of(), cluster.topics(), READABLE))
                        .found())
                .contains("kafka.group.protocol=consumer");
        assertThat(judged(newer, cluster)).allMatch(finding -> finding.verdict() == Verdict.OK);
    }

    @Test
    void aBrokerThatAdvertisesAnAddressThatDoesNotOpenFails() throws Exception {
        Cluster cluster = new Cluster(
                "id",
                1,
                Map.of("kafka-1:9092", "it does not resolve"),
                Map.of(),
                Map.of(TOPIC, present(ALL)),
                READABLE);

        assertThat(failed(worker(), cluster))
                .satisfies(finding -> assertThat(finding.found()).contains("kafka-1:9092", "does not resolve"))
                .satisfies(finding -> assertThat(finding.advice()).contains("advertised.listeners"));
    }

    private ServiceSettings writer() throws IOException {
        return new Installed(directory).writerSettings();
    }

    private ServiceSettings worker() throws IOException {
        return new Installed(directory).workerSettings();
    }

    private static Finding failed(ServiceSettings settings, KafkaFacts facts) {
        List<Finding> failed = judged(settings, facts).stream()
                .filter(finding -> finding.verdict() == Verdict.FAILED)
                .toList();
        assertThat(failed).hasSize(1);
        return failed.get(0);
    }

    private static List<Finding> judged(ServiceSettings settings, KafkaFacts facts) {
        Findings findings = new Findings();
        new KafkaRules(settings, findings).judge(facts);
        return findings.all();
    }

    private static Cluster cluster(Topic topic, Group group) {
        return new Cluster("id", 1, Map.of(), Map.of("group.version", 1), Map.of(TOPIC, topic), group);
    }

    private static Present present(Set<String> operations) {
        return new Present(2, 3, 3, Map.of(), Optional.of(operations));
    }
}
