package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.source.testkit.PostgresServer;
import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Goes through the page on rows from PostgreSQL: database, stack, source, and what its {@code console} blocks show. */
@TakesTurns(turn = 0, of = 6)
class DocumentedSourceIT {
    private static final String PROMPT = "$ ";
    private static final String SETTINGS = "--config deploy/samples/source.properties";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration STEP = Duration.ofMillis(200);

    private final Path home = SourceTree.ofProject().root();
    private final List<String> page = SourceTree.lines(home.resolve("docs/source.md"));

    private final PostgresServer server = PostgresServer.shared();
    private final String database = server.newDatabase();

    @AfterEach
    void dropDatabaseAndRole() {
        server.dropDatabase(database);
        server.sql("postgres", "DROP ROLE IF EXISTS tidemark");
    }

    @Test
    void thePageLeadsFromATableOfPostgresqlToAQuery() throws Exception {
        server.sql(database, Files.readString(home.resolve("deploy/samples/films.sql")));
        try (CommandStack stack = CommandStack.start("films", home.resolve("deploy/samples/films.yaml"))) {
            String settings = SETTINGS + " --set database.port=" + server.port() + " --set database.dbname=" + database
                    + " --set http.port=0"
                    + " --set writer.url=" + stack.addressed("http://127.0.0.1:8081");
            List<String> shown = blocks("```console");
            assertThat(shown).hasSize(3);
            assertShown(stack, settings, shown.get(0));
            Process source = start(command(stack, settings, followed()));
            try {
                assertShown(stack, settings, shown.get(1));
                server.sql(database, blocks("```sql").get(0));
                assertShown(stack, settings, shown.get(2));
            } finally {
                source.destroy();
            }
            assertThat(source.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(source.exitValue()).isZero();
        }
    }

    /** The command of the page that follows the database. */
    private String followed() {
        return blocks("```sh").stream()
                .map(String::strip)
                .filter(block -> block.contains("tidemark source " + SETTINGS))
                .findFirst()
                .orElseThrow();
    }

    private List<String> blocks(String fence) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = new StringBuilder();
        boolean inside = false;
        for (String line : page) {
            if (inside && line.equals("```")) {
                blocks.add(block.toString());
                block.setLength(0);
                inside = false;
            } else if (inside) {
                block.append(line).append('\n');
            } else {
                inside = line.equals(fence);
            }
        }
        return blocks;
    }

    private void assertShown(CommandStack stack, String settings, String block) {
        String[] parts = block.split("\n", 2);
        assertThat(parts[0]).startsWith(PROMPT);
        String command = command(stack, settings, parts[0].substring(PROMPT.length()));
        await().atMost(PATIENCE)
                .pollInterval(STEP)
                .untilAsserted(
                        () -> assertThat(shape(printed(command))).as(command).isEqualTo(shape(parts[1])));
    }

    private static String command(CommandStack stack, String settings, String shown) {
        return stack.addressed(shown.replace(SETTINGS, settings));
    }

    private Process start(String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "exec env " + command)
                .directory(home.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        return builder.start();
    }

    private String printed(String command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("documented", ".out");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        assertThat(builder.start().waitFor(1, TimeUnit.MINUTES)).as(command).isTrue();
        return Files.readString(output);
    }

    private static String shape(String output) {
        return output.strip()
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "(time)")
                .replaceAll("[\\d.]+ m?s\\b", "(duration)");
    }
}
