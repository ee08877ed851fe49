package dev.tidemark.deploy.e2e.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code .ci/clients} has generated clients do. */
class GeneratedClientsTest {
    private static final Path CALLS = Path.of("src", "test", "clients", "calls.json");
    private static final Pattern CALL = Pattern.compile("\"call\": \"([^\"]+)\"");
    private static final Pattern OPERATION = Pattern.compile("operationId: (\\w+)");

    @Test
    void everyPublishedCallIsMade() throws IOException {
        Set<String> published = published("writer");
        published.addAll(published("worker"));

        assertThat(found(CALL, Files.readString(CALLS), "")).isEqualTo(published);
    }

    private static Set<String> published(String service) throws IOException {
        try (InputStream in =
                GeneratedClientsTest.class.getResourceAsStream("/dev/tidemark/" + service + "/openapi.yaml")) {
            assertThat(in).as(service).isNotNull();
            return found(OPERATION, new String(in.readAllBytes(), StandardCharsets.UTF_8), service + ".");
        }
    }

    private static Set<String> found(Pattern pattern, String text, String before) {
        Set<String> found = new TreeSet<>();
        pattern.matcher(text).results().forEach(one -> found.add(before + one.group(1)));
        return found;
    }
}
