package dev.tidemark.worker.kafka;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConsumerSettingsTest {
    @Test
    void theUserOverridesPresetsButNotWhatTheWorkerReliesOn() {
        Map<String, Object> settings = settings(Map.of(
                        "bootstrap.servers", "b:1",
                        "session.timeout.ms", "9000",
                        "auto.offset.reset", "latest",
                        "enable.auto.commit", "true"))
                .consumer();
        assertThat(settings)
                .containsEntry("bootstrap.servers", "b:1")
                .containsEntry("session.timeout.ms", "9000")
                .containsEntry("auto.offset.reset", "none")
                .containsEntry("enable.auto.commit", false)
                .containsEntry("group.instance.id", "me");
    }

    @Test
    void aFetchForPartitionsWithoutNewsHoldsUpTheOthersOnlyShortlyUnlessTheUserSaysOtherwise() {
        assertThat(settings(Map.of()).consumer()).containsEntry("fetch.max.wait.ms", 50);
        assertThat(settings(Map.of("fetch.max.wait.ms", "200")).consumer()).containsEntry("fetch.max.wait.ms", "200");
    }

    @Test
    void theNewerGroupProtocolGetsNoSettingsThatItRefuses() {
        assertThat(settings(Map.of("group.protocol", "consumer")).consumer())
                .doesNotContainKeys("session.timeout.ms", "heartbeat.interval.ms", "partition.assignment.strategy");
    }

    @Test
    void theAdminClientGetsNoConsumerSettings() {
        assertThat(settings(Map.of("bootstrap.servers", "b:1", "session.timeout.ms", "9000"))
                        .admin("lag"))
                .containsEntry("bootstrap.servers", "b:1")
                .containsEntry("client.id", "tidemark-worker-lag")
                .doesNotContainKey("session.timeout.ms");
    }

    @Test
    void aReaderOfLargeRecordsTakesOneAtATimeWhateverTheUserSays() {
        assertThat(settings(Map.of("max.poll.records", "500")).oneByOne("definitions"))
                .containsEntry("max.poll.records", 1);
    }

    @Test
    void aMemberWithoutANameHasNone() {
        assertThat(new ConsumerSettings("group", "", 10, Map.of()).consumer()).doesNotContainKey("group.instance.id");
    }

    @Test
    void aMemberWithANameIsStaticAndItsGroupClassicUnlessTheUserSaysOtherwise() {
        assertThat(settings(Map.of()).isClassicStaticMember()).isTrue();
        assertThat(settings(Map.of("group.protocol", "consumer")).isClassicStaticMember())
                .isFalse();
        assertThat(new ConsumerSettings("group", "", 10, Map.of()).isClassicStaticMember())
                .isFalse();
    }

    private static ConsumerSettings settings(Map<String, Object> given) {
        return new ConsumerSettings("group", "me", 10, given);
    }
}
