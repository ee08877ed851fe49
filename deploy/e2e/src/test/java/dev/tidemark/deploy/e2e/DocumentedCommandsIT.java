package dev.tidemark.deploy.e2e;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the {@code console} blocks of pages against a stack like the one that the pages start, and compares what they
 * print with what the page shows. Versions, tokens and times are compared by their shape.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentedCommandsIT {
    private static final String CATALOG = "deploy/samples/catalog.yaml";
    private static final String STACK = "deploy/tidemark stack --data /tmp/tidemark --catalog " + CATALOG;
    private static final String EXAMPLE = "deploy/e2e/src/test/java/dev/tidemark/deploy/e2e/CustomersExample.java";
    private static final Pattern CLIENT_ALONE =
            Pattern.compile("tidemark-client|deploy/client|jackson|e2e/target/test-classes");
    private static final String PROMPT = "$ ";
    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([\\w-]+)\"");

    /** For an answer to become what the page shows, which an index does some time after a write. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration STEP = Duration.ofMillis(200);
    private static final long COMMAND_SECONDS = 60;

    private final Path home = SourceTree.ofProject().root();
    private final CommandStack stack;

    DocumentedCommandsIT() throws IOException, StackException {
        stack = CommandStack.start("documented", home.resolve(CATALOG));
    }

    /** Each page begins with a stack that lacks the row that the page before wrote. */
    @AfterEach
    void deleteTheRowThatPagesWrite() throws Exception {
        stack.facts().delete("customers", "1").requireOk();
    }

    @AfterAll
    void end() {
        stack.close();
    }

    /** A command of a page, and what the page shows below it. */
    private record Shown(String command, String output) {}

    @ParameterizedTest
    @Execution(ExecutionMode.SAME_THREAD)
    @ValueSource(strings = {"README.md", "docs/quickstart.md"})
    void everyCommandPrintsWhatThePageShows(String page) throws Exception {
        List<String> lines = SourceTree.lines(home.resolve(page));
        assertThat(lines).as("the command that starts the stack").contains(STACK);
        List<Shown> all = shown(lines);
        assertThat(all).hasSizeGreaterThanOrEqualTo(2);
        String token = "";
        for (Shown one : all) {
            String command = stack.addressed(one.command()).replace("TOKEN", token);
            StringBuilder last = new StringBuilder();
            await().atMost(PATIENCE).pollInterval(STEP).untilAsserted(() -> {
                last.replace(0, last.length(), printed(command));
                assertThat(shape(last.toString())).as(command).isEqualTo(shape(one.output()));
            });
            Matcher found = TOKEN.matcher(last);
            token = found.find() ? found.group(1) : token;
        }
    }

    /** The program runs with the client and Jackson alone, as in a project of a user. */
    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void theExampleOfTheClientForJavaPrintsWhatThePageShows() throws Exception {
        List<String> page = SourceTree.lines(home.resolve("docs/java-client.md"));
        Path source = home.resolve(EXAMPLE);
        List<String> program = SourceTree.lines(source).stream().skip(2).toList();
        assertThat(block(page, "```java")).isEqualTo(program);
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> CLIENT_ALONE.matcher(entry).find())
                .collect(Collectors.joining(File.pathSeparator));

        String command = Installation.locate().java() + " -cp " + classPath + " " + CustomersExample.class.getName()
                + " http://127.0.0.1:8081 http://127.0.0.1:8082";

        assertThat(printed(stack.addressed(command)).lines()).containsExactlyElementsOf(block(page, "```text"));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void theExampleInPythonFindsWhatItWrote(@TempDir Path directory) throws Exception {
        List<String> program = block(SourceTree.lines(home.resolve("docs/http-api.md")), "```python");
        Path file = Files.writeString(directory.resolve("example.py"), stack.addressed(String.join("\n", program)));

        assumeThat(printed("python3 --version")).as("python3 on the path").startsWith("Python");
        assertThat(printed("python3 " + file)).isEqualTo("['Smith']\n");
    }

    /** The lines of the first block that begins so. */
    private static List<String> block(List<String> page, String fence) {
        return page.stream()
                .dropWhile(line -> !line.equals(fence))
                .skip(1)
                .takeWhile(line -> !line.equals("```"))
                .toList();
    }

    private static List<Shown> shown(List<String> page) {
        List<Shown> shown = new ArrayList<>();
        boolean console = false;
        boolean continued = false;
        for (String line : page) {
            if (line.startsWith("```")) {
                console = line.equals("```console");
            } else if (console && line.startsWith(PROMPT)) {
                shown.add(new Shown(line.substring(PROMPT.length()), ""));
                continued = line.endsWith("\\");
            } else if (console) {
                Shown last = shown.remove(shown.size() - 1);
                shown.add(
                        continued
                                ? new Shown(last.command() + "\n" + line, "")
                                : new Shown(last.command(), last.output() + line + "\n"));
                continued = continued && line.endsWith("\\");
            }
        }
        return shown;
    }

    private String printed(String command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("documented", ".out");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
                .directory(home.toFile())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS))
                    .as(command)
                    .isTrue();
            return Files.readString(output);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Files.delete(output);
        }
    }

    /** The same text for outputs that differ in what varies, or, of JSON, in where lines break. */
    private static String shape(String output) {
        String lines = output.startsWith("{") ? output.replaceAll("\n ?", "") : output;
        return lines.strip()
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "(time)")
                .replaceAll("\"version\":\"\\d{19}\"", "(version)")
                .replaceAll("\"token\":\"[\\w-]+\"", "(token)")
                .replaceAll("\"stalenessMs\":\\d+", "(staleness)")
                .replaceAll("[\\d.]+ m?s\\b", "(duration)")
                .replaceAll("[\\d,]+ rows/s", "(rate)");
    }
}
