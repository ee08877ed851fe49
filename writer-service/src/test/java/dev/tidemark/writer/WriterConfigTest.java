package dev.tidemark.writer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.http.HttpLimits;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SettingsReader;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.outbox.BacklogLimits;
import dev.tidemark.writer.outbox.RelaySettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WriterConfigTest {
    @Test
    void keysAreWhatUsersWrite() {
        assertThat(WriterConfig.definition().names())
                .containsExactlyInAnyOrder(
                        "http.host",
                        "http.port",
                        "http.threads",
                        "http.max.connections",
                        "http.allowed.hosts",
                        "http.max.page",
                        "http.idle.timeout",
                        "http.header.timeout",
                        "http.insecure",
                        "auth.tokens.file",
                        "tls.certificate",
                        "tls.key",
                        "tls.key.password",
                        "tls.client.ca",
                        "tls.ca",
                        "advertised.url",
                        "data.dir",
                        "facts.url",
                        "facts.user",
                        "facts.password.file",
                        "catalog.file",
                        "kafka.bootstrap.servers",
                        "consumer.group",
                        "topic.replication.factor",
                        "row.max.bytes",
                        "bulk.atomic.max.bytes",
                        "queue.max.requests",
                        "queue.max.bytes",
                        "group.max.changes",
                        "outbox.max.pending.records",
                        "outbox.max.pending.bytes",
                        "outbox.retain.records",
                        "heartbeat.interval",
                        "digest.interval",
                        "tombstone.delay",
                        "global.index.patience",
                        "checksum.bytes.per.second",
                        "checksum.interval",
                        "rocks.cache.bytes",
                        "rocks.memtable.bytes",
                        "row.cache.bytes",
                        "memory.budget.bytes");
    }

    @Test
    void aRowThatAnySettingsTakeCanBePublishedWithAnyOthers() throws BadSettingsException {
        assertThat(read("row.max.bytes=16777216").maxMessageBytes()).isEqualTo(WriterConfig.MOST_MESSAGE_BYTES);
        assertThatThrownBy(() -> read("row.max.bytes=16777217")).isInstanceOf(BadSettingsException.class);
        assertThat(ProducerConfig.configDef().defaultValues().get(ProducerConfig.BUFFER_MEMORY_CONFIG))
                .asInstanceOf(InstanceOfAssertFactories.LONG)
                .isGreaterThan(WriterConfig.MOST_MESSAGE_BYTES);
    }

    @Test
    void everyKeyHasADescription() {
        assertThat(WriterConfig.definition().configKeys().values())
                .allSatisfy(key -> assertThat(key.documentation).as(key.name).isNotBlank());
    }

    @Test
    void defaultsAreWhatUsersRelyOn() throws BadSettingsException {
        WriterConfig config = read();

        assertThat(config.http()).isEqualTo(new HttpSettings("127.0.0.1", 8081, 64, Duration.ofSeconds(3)));
        assertThat(config.maxRowBytes()).isEqualTo(1 << 20);
        assertThat(config.maxMessageBytes()).isEqualTo(2 << 20);
        assertThat(config.atomicMaxBytes()).isEqualTo(32 << 20);
        assertThat(config.committer()).isEqualTo(new CommitterLimits(4_096, 64 << 20, 2_000, Duration.ofMillis(100)));
        assertThat(config.digestInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.backlog()).isEqualTo(new BacklogLimits(1_000_000, 1 << 30));
        assertThat(config.relay())
                .isEqualTo(
                        new RelaySettings(Duration.ofMillis(200), 100_000, Duration.ofDays(1), Duration.ofSeconds(30)));
        assertThat(config.replicationFactor()).isEmpty();
        assertThat(config.consumerGroup()).isEqualTo("tidemark-index-worker");
        assertThat(config.rocksCacheBytes()).isEqualTo(128 << 20);
        assertThat(config.rocksMemtableBytes()).isEqualTo(32 << 20);
        assertThat(config.kafka()).containsEntry("bootstrap.servers", "127.0.0.1:9092");
    }

    @Test
    void takesTheLimitsOfTheListenerFromTheSettings() throws BadSettingsException {
        HttpLimits limits = read("http.max.connections=16", "http.idle.timeout=1s", "http.header.timeout=1h")
                .http()
                .limits();

        assertThat(limits.connections()).isEqualTo(16);
        assertThat(limits.idle()).isEqualTo(Duration.ofSeconds(1));
        assertThat(limits.headerPatience()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void aTopicOfAGlobalIndexIsWaitedForAtMostAnHour() throws BadSettingsException {
        assertThat(read("global.index.patience=1h").relay().derivedPatience()).isEqualTo(Duration.ofHours(1));
        assertThatThrownBy(() -> read("global.index.patience=2h")).hasMessageContaining("10ms to 1h");
    }

    @Test
    void handsTheKafkaSettingsOn() throws BadSettingsException {
        assertThat(read("kafka.security.protocol=SSL", "kafka.bootstrap.servers=b:1")
                        .kafka())
                .containsEntry("security.protocol", "SSL")
                .containsEntry("bootstrap.servers", "b:1");
    }

    @Test
    void saysWhyAProducerOfTheUsersTransactionsIsRefused() {
        assertThatThrownBy(() -> read("kafka.transactional.id=mine"))
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("kafka.transactional.id")
                .hasMessageContaining("nothing would be published");
    }

    @Test
    void takesFactTablesInRocksDbOrInPostgreSql() throws BadSettingsException {
        assertThat(read().facts().isPostgres()).isFalse();

        FactsSettings facts = read("facts.url=jdbc:postgresql://db/shop", "facts.user=u", "facts.password.file=p")
                .facts();

        assertThat(facts.isPostgres()).isTrue();
        assertThat(facts.user()).contains("u");
        assertThat(facts.passwordFile()).contains(Path.of("p"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/shop?password=sesame",
                "jdbc:postgresql://db/shop?sslmode=require&sslPassword=sesame",
                "jdbc:postgresql://u:sesame@db/shop",
                "postgresql://u:sesame@db/shop"
            })
    void refusesAPasswordInTheUrlWithoutShowingIt(String url) {
        assertThatThrownBy(() -> read("facts.url=" + url))
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("facts.password.file")
                .hasMessageNotContaining("sesame");
    }

    @Test
    void refusesAUserOfNoDatabase() {
        assertThatThrownBy(() -> read("facts.user=u")).hasMessageContaining("the fact tables are in RocksDB");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "facts.url=postgres",
                "heartbeat.interval=5x",
                "heartbeat.interval=1ms",
                "digest.interval=1ms",
                "tombstone.delay=0s",
                "http.port=70000",
                "http.threads=1",
                "http.max.connections=15",
                "http.max.page=0",
                "http.idle.timeout=999ms",
                "http.idle.timeout=soon",
                "http.header.timeout=61m",
                "row.max.bytes=10",
                "row.max.bytes=99999999",
                "queue.max.requests=0",
                "outbox.max.pending.records=0",
                "queue.max.bytes=2000",
                "kafka.transactional.id=mine",
                "kafka.transaction.timeout.ms=1000",
                "nonsense=1"
            })
    void badValuesAreRefusedByName(String assignment) {
        assertThatThrownBy(() -> read(assignment))
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining(assignment.substring(0, assignment.indexOf('=')));
    }

    @Test
    void dataDirectoryAndCatalogAreRequired() {
        assertThatThrownBy(() -> new SettingsReader("writer", WriterConfig.definition())
                        .read(Optional.empty(), Map.of(), List.of("catalog.file=c")))
                .hasMessageContaining("data.dir");
    }

    private static WriterConfig read(String... assignments) throws BadSettingsException {
        List<String> all = new ArrayList<>(List.of("data.dir=d", "catalog.file=c"));
        all.addAll(List.of(assignments));
        return WriterConfig.from(
                new SettingsReader("writer", WriterConfig.definition()).read(Optional.empty(), Map.of(), all));
    }
}
