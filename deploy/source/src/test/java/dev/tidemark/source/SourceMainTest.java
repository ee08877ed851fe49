package dev.tidemark.source;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.source.cli.SourceSettings;
import dev.tidemark.source.testkit.FakeWriter;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.testkit.UnusedPort;

import static org.awaitility.Awaitility.await;

class SourceMainTest {
    private static final String FORMER = "a-token-of-the-writer-1";
    private static final String LATER = "a-token-of-the-writer-2";
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void anotherTokenInItsFileIsShownWithoutARestart(@TempDir Path directory) throws Exception {
        Path file = SecretFiles.write(directory.resolve("token"), FORMER);
        Map<String, String> values = Map.of(
                "name", "shop",
                "http.port", "0",
                "writer.token.file", file.toString(),
                "database.hostname", "127.0.0.1",
                "database.port", Integer.toString(UnusedPort.find()),
                "database.dbname", "none",
                "database.user", "reader");
        FakeWriter writer = new FakeWriter();
        AutoCloseable source = follow(writer, values);
        try (writer;
                source) {
            awaitSaid("no table of the writer's catalog follows the source shop");
            writer.token(LATER);
            awaitSaid("the token is not known");
            writer.following("items", "public.items", "id");
            SecretFiles.write(file, LATER);
            awaitSaid("Connection to 127.0.0.1:");
        }
    }

    private AutoCloseable follow(FakeWriter writer, Map<String, String> values) throws Exception {
        writer.token(FORMER);
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        Map<String, String> all = new HashMap<>(values);
        all.put("writer.url", writer.url().toString());
        SourceSettings settings = SourceSettings.of(new AbstractConfig(SourceMain.definition(), all, false));
        return SourceMain.follow(settings, Terminal.plain(out, out), false);
    }

    private void awaitSaid(String text) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> said.toString(StandardCharsets.UTF_8).contains(text));
    }
}
