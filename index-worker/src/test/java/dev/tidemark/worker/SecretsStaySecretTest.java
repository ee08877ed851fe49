package dev.tidemark.worker;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.apache.kafka.common.config.AbstractConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.settings.SettingsReader;
import dev.tidemark.testkit.Canaries;
import dev.tidemark.testkit.LoggedLines;
import dev.tidemark.testkit.TestCertificates;
import dev.tidemark.testkit.UnusedPort;
import dev.tidemark.tls.TlsFiles;

import static org.assertj.core.api.Assertions.assertThat;

/** Starts a worker with secrets, provokes errors, and looks for the secrets in whatever comes out. */
class SecretsStaySecretTest {
    @TempDir
    private Path directory = Path.of("");

    private final List<String> seen = new ArrayList<>();

    @Tag("slow")
    @Test
    void noSecretComesOut() throws Exception {
        int port = UnusedPort.find();
        AbstractConfig settings = settings(port);
        try (LoggedLines log = LoggedLines.listen()) {
            try (AutoCloseable service = WorkerMain.start(settings)) {
                assertThat(service).isNotNull();
                provoke("https://127.0.0.1:" + port);
                Awaitility.await()
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> log.all().stream().anyMatch(line -> line.contains("sasl.jaas.config = [hidden]")));
                seen.addAll(Canaries.threadDump());
            }
            seen.addAll(log.all());
        }
        seen.add(WorkerConfig.of(settings).toString());

        assertThat(seen).anyMatch(line -> line.contains("jvm_threads"));
        assertThat(Canaries.found(seen)).isEmpty();
    }

    private void provoke(String base) throws Exception {
        TlsFiles trust = new TlsFiles(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(TestCertificates.put("ca.pem", directory)));
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trust.load())
                .build();
        for (String token : List.of(Canaries.TOKEN, Canaries.TOKEN + "x", "")) {
            for (String path :
                    List.of("/metrics", "/health/ready", "/v1/lag", "/v1/indexes/x/entries", "/v1/nothing")) {
                look(client, token, HttpRequest.newBuilder(URI.create(base + path)));
            }
            look(
                    client,
                    token,
                    HttpRequest.newBuilder(URI.create(base + "/v1/verify"))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{\"broken")));
        }
    }

    private void look(HttpClient client, String token, HttpRequest.Builder request) throws Exception {
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        seen.add(answer.headers().map() + " " + answer.body());
    }

    private AbstractConfig settings(int port) throws Exception {
        Map<String, String> settings = new TreeMap<>(Canaries.settings(directory));
        settings.put("writer.token.file", Canaries.ownToken(directory).toString());
        settings.put("data.dir", directory.resolve("data").toString());
        settings.put("http.port", Integer.toString(port));
        settings.put("rocksdb.cache.bytes", "8388608");
        settings.put("rocksdb.memtable.bytes", "1048576");
        // Port 1 answers nobody.
        settings.put("kafka.bootstrap.servers", "127.0.0.1:1");
        settings.put("writer.url", "http://127.0.0.1:1");
        List<String> assignments = settings.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
        return new SettingsReader("worker", WorkerConfig.definition()).read(Optional.empty(), Map.of(), assignments);
    }
}
