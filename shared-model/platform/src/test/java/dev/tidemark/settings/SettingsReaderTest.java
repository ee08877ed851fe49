package dev.tidemark.settings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SettingsReaderTest {
    private static final ConfigDef DEFINITION = new ConfigDef()
            .define("http.port", ConfigDef.Type.INT, 8081, Range.between(0, 65_535), Importance.HIGH, "Port.")
            .define("data.dir", ConfigDef.Type.STRING, Importance.HIGH, "Directory.")
            .define("kafka.bootstrap.servers", ConfigDef.Type.STRING, "127.0.0.1:9092", Importance.HIGH, "Brokers.");
    private static final SettingsReader READER = new SettingsReader("writer", DEFINITION);

    @TempDir
    private Path directory;

    @Test
    void fillsInDefaults() throws Exception {
        AbstractConfig settings = READER.read(Optional.empty(), Map.of(), List.of("data.dir=/d"));

        assertThat(settings.getInt("http.port")).isEqualTo(8081);
        assertThat(settings.getString("data.dir")).isEqualTo("/d");
    }

    @Test
    void takesTheCommandLineOverTheEnvironmentOverTheFile() throws Exception {
        Path file = file("http.port=1\ndata.dir=file\nkafka.bootstrap.servers=file:1\nkafka.linger.ms=1\n");
        Map<String, String> environment = Map.of(
                "TIDEMARK_WRITER_HTTP_PORT", "2",
                "TIDEMARK_WRITER_DATA_DIR", "environment",
                "TIDEMARK_WORKER_HTTP_PORT", "9",
                "TIDEMARK_WRITER_KAFKA_SECURITY_PROTOCOL", "SSL",
                "TIDEMARK_WRITER_SERVICE_HOST", "10.0.0.1");
        AbstractConfig settings = READER.read(Optional.of(file), environment, List.of("http.port=3", "http.port=4"));

        assertThat(settings.getInt("http.port")).isEqualTo(4);
        assertThat(settings.getString("data.dir")).isEqualTo("environment");
        assertThat(settings.getString("kafka.bootstrap.servers")).isEqualTo("file:1");
        assertThat(settings.originalsWithPrefix(SettingsReader.KAFKA_PREFIX))
                .containsEntry("linger.ms", "1")
                .containsEntry("security.protocol", "SSL");
    }

    @Test
    void keepsEverythingBehindTheFirstEqualsSign() throws Exception {
        assertThat(READER.read(Optional.empty(), Map.of(), List.of("data.dir=a=b"))
                        .getString("data.dir"))
                .isEqualTo("a=b");
    }

    @Test
    void refusesAnUnknownKeyAndNamesTheNearest() throws Exception {
        assertRefused(
                Optional.empty(),
                List.of("data.dir=x", "http.prt=1"),
                "unknown setting http.prt; expected http.port, or another that --print-config shows, or kafka.*");
        assertRefused(Optional.of(file("data.dire=x\n")), List.of(), "unknown setting data.dire; expected data.dir,");
        assertRefused(Optional.of(file("zzzz=x\n")), List.of(), "unknown setting zzzz; expected one that");
    }

    @Test
    void refusesValuesThatTheirKeyDoesNotTake() {
        assertRefused(
                Optional.empty(),
                List.of("data.dir=x", "http.port=http"),
                "Invalid value http for configuration http.port");
        assertRefused(Optional.empty(), List.of("data.dir=x", "http.port=70000"), "Invalid value 70000");
        assertRefused(Optional.empty(), List.of(), "expected the setting data.dir");
    }

    @Test
    void refusesWhatIsNoAssignment() {
        for (String text : List.of("", "data.dir", "=x")) {
            assertRefused(Optional.empty(), List.of(text), "expected key=value after --set, but got " + text);
        }
    }

    @Test
    void refusesAFileThatItCannotRead() throws Exception {
        Path none = directory.resolve("none.properties");

        assertRefused(Optional.of(none), List.of(), "expected a settings file at " + none + ", but there is none");
        assertRefused(Optional.of(directory), List.of(), "expected a readable settings file at");
        assertRefused(Optional.of(file("data.dir=\\u00zz\n")), List.of(), "expected a readable settings file at");
    }

    private Path file(String text) throws Exception {
        return Files.writeString(directory.resolve("writer.properties"), text);
    }

    private static void assertRefused(Optional<Path> file, List<String> assignments, String reason) {
        assertThatThrownBy(() -> READER.read(file, Map.of(), assignments))
                .isInstanceOf(BadSettingsException.class)
                .hasMessageStartingWith(reason);
    }
}
