package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class BrokerFilesTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void kafkaReadsTheDirectoryThatWasMeant() throws IOException {
        Path place = directory.resolve("Größe \\ 😀");

        Properties read = written(new BrokerFiles(place), Map.of());

        assertThat(read.getProperty("log.dirs")).isEqualTo(place.resolve("data").toString());
    }

    @Test
    void kafkaReadsMoreSettingsAsTheyAre() throws IOException {
        Map<String, String> more = Map.of("ssl.key.password", " a\\nä\n#b", "node.id", "7");

        Properties read = written(new BrokerFiles(directory), more);

        assertThat(read).containsAllEntriesOf(more).containsEntry("process.roles", "broker,controller");
    }

    /** As Kafka reads it: by bytes, each a character of ISO 8859-1. */
    private static Properties written(BrokerFiles files, Map<String, String> more) throws IOException {
        files.write(9092, 9093, more);
        Properties settings = new Properties();
        try (InputStream in = Files.newInputStream(files.serverProperties())) {
            settings.load(in);
        }
        return settings;
    }
}
