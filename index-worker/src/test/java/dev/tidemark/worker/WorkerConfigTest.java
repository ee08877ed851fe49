package dev.tidemark.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SettingsReader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkerConfigTest {
    /** Keys and defaults are public: changing one is a change for users. */
    @Test
    void keysAndDefaultsArePinned() {
        Map<String, Object> defaults = new TreeMap<>();
        WorkerConfig.definition()
                .configKeys()
                .forEach((name, key) -> defaults.put(
                        name, key.defaultValue == ConfigDef.NO_DEFAULT_VALUE ? "required" : key.defaultValue));
        assertThat(defaults)
                .isEqualTo(Map.ofEntries(
                        Map.entry("apply.threads", 2),
                        Map.entry("build.freshness.target", "1s"),
                        Map.entry("build.rows.per.second", 0),
                        Map.entry("checksum.bytes.per.second", 16L << 20),
                        Map.entry("checksum.interval", "6h"),
                        Map.entry("copy.max.bytes.per.second", 64L << 20),
                        Map.entry("copy.min.records", 100_000L),
                        Map.entry("data.dir", "required"),
                        Map.entry("group.id", "tidemark-index-worker"),
                        Map.entry("group.instance.id", "auto"),
                        Map.entry("auth.tokens.file", ""),
                        Map.entry("http.insecure", false),
                        Map.entry("tls.certificate", ""),
                        Map.entry("tls.key", ""),
                        Map.entry("tls.key.password", new Password("")),
                        Map.entry("tls.client.ca", ""),
                        Map.entry("tls.ca", ""),
                        Map.entry("writer.token.file", ""),
                        Map.entry("peer.token.file", ""),
                        Map.entry("replica.group", "a"),
                        Map.entry("advertised.url", ""),
                        Map.entry("http.host", "127.0.0.1"),
                        Map.entry("http.port", 8082),
                        Map.entry("http.threads", 64),
                        Map.entry("http.max.connections", 1_024),
                        Map.entry("http.allowed.hosts", List.of()),
                        Map.entry("http.max.page", 10_000),
                        Map.entry("http.max.wait", "30s"),
                        Map.entry("http.idle.timeout", "30s"),
                        Map.entry("http.header.timeout", "10s"),
                        Map.entry("kafka.bootstrap.servers", "127.0.0.1:9092"),
                        Map.entry("memory.budget.bytes", 0L),
                        Map.entry("lag.sample.interval", "500ms"),
                        Map.entry("lease", "6s"),
                        Map.entry("poll.max.records", 1_000),
                        Map.entry("rocksdb.cache.bytes", 256L << 20),
                        Map.entry("rocksdb.memtable.bytes", 8L << 20),
                        Map.entry("rollback.window", "15m"),
                        Map.entry("row.cache.bytes", 64L << 20),
                        Map.entry("verify.interval", "1h"),
                        Map.entry("shard.max.absence", "84h"),
                        Map.entry("writer.url", List.of("http://127.0.0.1:8081"))));
    }

    @Test
    void theConsumerGroupIsThatOfTheReplicaGroup() throws Exception {
        assertThat(read().consumerGroup()).isEqualTo("tidemark-index-worker.a");
        assertThat(read("group.id=shop", "replica.group=rack-2").consumerGroup())
                .isEqualTo("shop.rack-2");
    }

    @Test
    void isReachedWhereItListensUnlessItSaysOtherwise() throws Exception {
        assertThat(read("http.port=9000").advertisedUrl()).hasToString("http://127.0.0.1:9000");
        assertThat(read("http.host=::1").advertisedUrl()).hasToString("http://[::1]:8082");
        assertThat(read("http.host=[::1]").advertisedUrl()).hasToString("http://[::1]:8082");
        assertThat(read("advertised.url=https://worker-7:8082").advertisedUrl()).hasToString("https://worker-7:8082");
        assertThat(read("advertised.url=https://worker-7:8082/").advertisedUrl())
                .hasToString("https://worker-7:8082");
    }

    @Test
    void itsAddressIsANameMoreWhereNotAnyNameIsTaken() throws Exception {
        String url = "advertised.url=https://worker-7:8082";
        assertThat(read(url).http().allowedHosts()).containsExactly("worker-7");

        String[] closed = {url, "auth.tokens.file=t", "tls.certificate=c", "tls.key=k", "http.allowed.hosts="};
        assertThat(read(closed).http().allowedHosts()).isEmpty();
        closed[4] = "http.allowed.hosts=proxy";
        assertThat(read(closed).http().allowedHosts()).containsExactlyInAnyOrder("proxy", "worker-7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replica.group=",
                "replica.group=Rack",
                "replica.group=-a",
                "replica.group=a.b",
                "advertised.url=worker-7:8082",
                "advertised.url=ftp://worker-7",
                "advertised.url=http:///path",
                "advertised.url=http://0.0.0.0:8082",
                "advertised.url=http://[::]:8082",
                "kafka.client.rack=second floor"
            })
    void refusesNamesThatOthersCouldNotUse(String wrong) {
        assertThatThrownBy(() -> read(wrong))
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("expected " + wrong.substring(0, wrong.indexOf('=')));
    }

    @Test
    void isInTheRackOfItsKafkaClients() throws Exception {
        assertThat(read().identity("w").rack()).isEmpty();
        assertThat(read("kafka.client.rack=eu-1a").identity("w").rack()).isEqualTo("eu-1a");
    }

    @Test
    void warnsOfAnAddressAtWhichOthersMayNotReachIt() throws Exception {
        assertThat(read().doubtfulAddress()).isEmpty();
        assertThat(read("http.host=0.0.0.0").doubtfulAddress().orElseThrow())
                .contains("http://0.0.0.0:8082")
                .contains("set advertised.url");
        assertThat(read("http.host=::").doubtfulAddress().orElseThrow())
                .contains("http://[::]:8082")
                .contains("set advertised.url");
        assertThat(read("advertised.url=https://worker-7").doubtfulAddress().orElseThrow())
                .contains("port of this worker, but got https://worker-7");
    }

    @Test
    void handsKafkaSettingsOnWithoutThePrefix() throws Exception {
        WorkerConfig config = read("kafka.session.timeout.ms=9000", "kafka.bootstrap.servers=broker:1");
        assertThat(config.kafka())
                .containsEntry("session.timeout.ms", "9000")
                .containsEntry("bootstrap.servers", "broker:1");
    }

    @ParameterizedTest
    @CsvSource({
        "http.port=70000, http.port",
        "http.max.connections=0, http.max.connections",
        "http.max.page=0, http.max.page",
        "http.max.page=100001, http.max.page",
        "http.max.wait=2h, http.max.wait",
        "http.idle.timeout=2h, http.idle.timeout",
        "http.header.timeout=never, http.header.timeout",
        "apply.threads=0, apply.threads",
        "lag.sample.interval=often, lag.sample.interval",
        "writer.url=nowhere, writer.url",
        "writer.url=ftp://x, writer.url",
        "rocksdb.cache.bytes=1, rocksdb.cache.bytes",
        "colour=red, colour"
    })
    void refusesWhatCannotBeUsed(String assignment, String named) {
        assertThatThrownBy(() -> read(assignment))
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining(named);
    }

    private static WorkerConfig read(String... assignments) throws BadSettingsException {
        List<String> all = new ArrayList<>(List.of("data.dir=d"));
        all.addAll(List.of(assignments));
        return WorkerConfig.of(
                new SettingsReader("worker", WorkerConfig.definition()).read(Optional.empty(), Map.of(), all));
    }
}
