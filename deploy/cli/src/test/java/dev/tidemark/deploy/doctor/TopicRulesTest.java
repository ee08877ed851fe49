package dev.tidemark.deploy.doctor;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.doctor.Finding.Verdict;
import dev.tidemark.deploy.doctor.KafkaFacts.Absent;
import dev.tidemark.deploy.doctor.KafkaFacts.Present;

import static org.assertj.core.api.Assertions.assertThat;

class TopicRulesTest {
    private static final String TOPIC = "tidemark.changes.people";
    private static final Map<String, String> GOOD = Map.of(
            "cleanup.policy", "compact",
            "min.insync.replicas", "2",
            "max.message.bytes", "2097152",
            "min.compaction.lag.ms", "3600000",
            "message.timestamp.type", "LogAppendTime",
            "delete.retention.ms", "604800000");

    @Test
    void aTopicAsTheWriterMakesItIsGood() {
        assertThat(judged(present(3, 3, Map.of()))).extracting(Finding::verdict).containsExactly(Verdict.OK);
    }

    @Test
    void whatDeletesChangesFails() {
        assertThat(one(present(3, 3, Map.of("cleanup.policy", "compact,delete"))))
                .returns(Verdict.FAILED, Finding::verdict)
                .returns("cleanup.policy=compact", Finding::expected)
                .satisfies(finding -> assertThat(finding.advice())
                        .contains("kafka-configs.sh", TOPIC, "--add-config cleanup.policy=compact"));
    }

    @Test
    void aRecordThatOneBrokerHasWarns() {
        assertThat(one(present(3, 3, Map.of("min.insync.replicas", "1"))))
                .returns(Verdict.WARNING, Finding::verdict)
                .returns("min.insync.replicas=2", Finding::expected);
    }

    @Test
    void moreReplicasInSyncThanThereAreFail() {
        assertThat(judged(present(1, 1, Map.of())))
                .filteredOn(finding -> finding.verdict() == Verdict.FAILED)
                .singleElement()
                .satisfies(finding -> assertThat(finding.found()).contains("takes no record"))
                .returns("min.insync.replicas=1", Finding::expected);
    }

    @Test
    void tooFewInSyncFail() {
        assertThat(one(present(3, 1, Map.of())))
                .returns(Verdict.FAILED, Finding::verdict)
                .returns("Start the brokers that are away.", Finding::advice);
    }

    @Test
    void aTopicThatStopsWithOneBrokerWarns() {
        assertThat(judged(present(2, 2, Map.of())))
                .filteredOn(finding -> finding.verdict() == Verdict.WARNING)
                .hasSize(2)
                .anySatisfy(finding -> assertThat(finding.found()).contains("while a broker is away"));
    }

    @Test
    void aSmallRecordAndAnEarlyCompactionWarn() {
        assertThat(one(present(3, 3, Map.of("max.message.bytes", "1048588"))).expected())
                .isEqualTo("max.message.bytes=2097152");
        assertThat(one(present(3, 3, Map.of("min.compaction.lag.ms", "0"))).expected())
                .isEqualTo("min.compaction.lag.ms=3600000");
    }

    @Test
    void aTopicThatGoesByTheClockOfTheWriterWarns() {
        assertThat(one(present(3, 3, Map.of("message.timestamp.type", "CreateTime"))))
                .returns(Verdict.WARNING, Finding::verdict)
                .returns("message.timestamp.type=LogAppendTime", Finding::expected);
    }

    @Test
    void deletesThatAreForgottenBeforeAWorkerComesBackWarn() {
        assertThat(one(present(3, 3, Map.of("delete.retention.ms", "86400000"))))
                .returns(Verdict.WARNING, Finding::verdict)
                .returns("delete.retention.ms=604800000", Finding::expected);
    }

    @Test
    void otherPartitionsThanInTheCatalogWarnBecauseATableMayHaveGrown() {
        Present topic = new Present(7, 3, 3, GOOD, Optional.empty());

        assertThat(one(topic))
                .returns(Verdict.WARNING, Finding::verdict)
                .returns("2, as in the catalog", Finding::expected);
    }

    @Test
    void aTopicThatWouldNotBeMadeFails() {
        assertThat(one(new Absent(Optional.of("Replication factor: 3 larger than available brokers: 1."))))
                .returns(Verdict.FAILED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.found()).contains("larger than available brokers"));
        assertThat(judged(new Absent(Optional.empty())))
                .extracting(Finding::verdict)
                .containsExactly(Verdict.OK);
    }

    @Test
    void settingsThatMayNotBeReadAreNotJudged() {
        assertThat(judged(new Present(2, 3, 3, Map.of(), Optional.empty())))
                .extracting(Finding::verdict)
                .containsExactly(Verdict.OK);
    }

    @Test
    void theWriterIsNotSaidToMakeWhatBrokersRefuse() {
        assertThat(judged(new KafkaFacts.Absent(Optional.of("no Create"))))
                .noneMatch(finding -> finding.found().contains("makes what is missing"));
        assertThat(judged(new KafkaFacts.Absent(Optional.empty())))
                .anyMatch(finding -> finding.found().contains("makes what is missing"));
    }

    private static Finding one(KafkaFacts.Topic topic) {
        assertThat(judged(topic)).hasSize(2).last().isNotNull();
        return judged(topic).stream()
                .filter(finding -> finding.verdict() != Verdict.OK)
                .findFirst()
                .orElseThrow();
    }

    private static List<Finding> judged(KafkaFacts.Topic topic) {
        Findings findings = new Findings();
        new TopicRules(Map.of(TOPIC, 2), 2 << 20, Optional.of(Duration.ofHours(84)), findings)
                .judge(Map.of(TOPIC, topic));
        return findings.all();
    }

    private static Present present(int replicas, int inSync, Map<String, String> other) {
        Map<String, String> settings = new HashMap<>(GOOD);
        settings.putAll(other);
        return new Present(2, replicas, inSync, settings, Optional.empty());
    }
}
