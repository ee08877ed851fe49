package dev.tidemark.writer;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.settings.SettingsReader;
import dev.tidemark.testkit.Canaries;
import dev.tidemark.testkit.LoggedLines;
import dev.tidemark.testkit.TestCertificates;
import dev.tidemark.tls.TlsFiles;

import static org.assertj.core.api.Assertions.assertThat;

/** Starts a writer with secrets, provokes errors, and looks for the secrets in whatever comes out. */
class SecretsStaySecretTest {
    @TempDir
    private Path directory = Path.of("");

    private final List<String> seen = new ArrayList<>();

    @Tag("slow")
    @Test
    void noSecretComesOut() throws Exception {
        WriterConfig config = config();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LoggedLines log = LoggedLines.listen()) {
            try (AutoCloseable service = WriterMain.start(config, new PrintStream(out, true, StandardCharsets.UTF_8))) {
                assertThat(service).isNotNull();
                String ready = out.toString(StandardCharsets.UTF_8).strip();
                assertThat(ready).startsWith("writer ready on https://127.0.0.1:");
                provoke(ready.substring(ready.indexOf("https")));
                Awaitility.await()
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> log.all().stream().anyMatch(line -> line.contains("sasl.jaas.config = [hidden]")));
                seen.addAll(Canaries.threadDump());
            }
            seen.addAll(log.all());
        }
        seen.add(out.toString(StandardCharsets.UTF_8));
        seen.add(config.toString());

        assertThat(seen).anyMatch(line -> line.contains("tidemark_outbox_pending_records"));
        assertThat(Canaries.found(List.of(Canaries.TOKEN))).isNotEmpty();
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
                    List.of("/metrics", "/health/ready", "/v1/tables", "/v1/nothing", "/v1/tables/customers/rows/1")) {
                look(client, token, HttpRequest.newBuilder(URI.create(base + path)));
            }
            look(
                    client,
                    token,
                    HttpRequest.newBuilder(URI.create(base + "/v1/tables/customers/rows/1"))
                            .PUT(BodyPublishers.ofString("{\"broken")));
        }
    }

    private void look(HttpClient client, String token, HttpRequest.Builder request) throws Exception {
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        seen.add(answer.headers().map() + " " + answer.body());
    }

    private WriterConfig config() throws Exception {
        Path catalog = Files.writeString(
                directory.resolve("catalog.yaml"), "tables: {customers: {primaryKey: id, partitions: 1}}\n");
        Map<String, String> settings = new TreeMap<>(Canaries.settings(directory));
        settings.put("data.dir", directory.resolve("data").toString());
        settings.put("catalog.file", catalog.toString());
        settings.put("http.port", "0");
        settings.put("rocks.cache.bytes", "8388608");
        settings.put("rocks.memtable.bytes", "1048576");
        // Port 1 answers nobody.
        settings.put("kafka.bootstrap.servers", "127.0.0.1:1");
        List<String> assignments = settings.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
        return WriterConfig.from(
                new SettingsReader("writer", WriterConfig.definition()).read(Optional.empty(), Map.of(), assignments));
    }
}
