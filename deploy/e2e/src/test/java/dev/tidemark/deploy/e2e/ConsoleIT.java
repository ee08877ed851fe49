package dev.tidemark.deploy.e2e;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.deploy.e2e.browser.BrowserScript;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The console page in a real browser, over a worker with fifty indexes that is stopped, killed and ended meanwhile. */
@Execution(ExecutionMode.CONCURRENT)
@TakesTurns(turn = 0, of = 6)
class ConsoleIT {
    /** System property: where a picture of the page is to go. */
    private static final String PICTURE = "console.picture";

    private static final Logger LOGGER = LoggerFactory.getLogger(ConsoleIT.class);
    private static final String HOSTILE = "<img src=x onerror='window.hacked=1'><b class=own>bold</b>";
    private static final int NOTES = 260;
    private static final Duration PACE = Duration.ofMillis(100);

    @Test
    void thePageDoesInABrowserWhatItPromises() throws Exception {
        Path home = Installation.locate().home();
        List<String> missing = BrowserScript.missing(home);
        assumeTrue(
                missing.isEmpty(), "the console page is not tested in a browser: no " + String.join(", no ", missing));
        Path catalog = Files.writeString(
                StackUnderTest.emptyDirectory("console-catalog").resolve("catalog.yaml"), catalog());
        try (StackUnderTest stack = StackUnderTest.start(
                "console",
                settings -> settings.withCatalog(catalog).with(Role.WORKER, "build.rows.per.second", "20"))) {
            byte[] films = Files.readAllBytes(home.resolve("deploy/samples/movies.ndjson"));
            stack.facts().load("movies", () -> new ByteArrayInputStream(films)).requireOk();
            stack.facts().load("notes", () -> new ByteArrayInputStream(notes())).requireOk();
            try (AgentRunner writes = AgentRunner.start(new Retakes(stack.facts()), PACE)) {
                BrowserScript script = BrowserScript.of(
                        home,
                        stack.stack().workerUrl(),
                        Optional.ofNullable(System.getProperty(PICTURE)).map(Path::of));
                BrowserScript.Outcome outcome = script.run(deed -> help(stack, deed));
                LOGGER.info("The browser says:\n{}", outcome.output());
                assertThat(outcome.exitCode()).as(outcome.output()).isZero();
                assertThat(writes.failure()).isEmpty();
            }
        }
    }

    private static void help(StackUnderTest stack, String deed) throws Exception {
        switch (deed) {
            case "suspend" -> stack.child(Role.WORKER).suspend();
            case "resume" -> stack.child(Role.WORKER).resume();
            case "kill" -> stack.kill(Role.WORKER);
            case "start" -> stack.startAgain(Role.WORKER);
            case "terminate" ->
                assertThat(stack.terminate(Role.WORKER))
                        .as("exit code of the worker")
                        .isZero();
            default -> throw new IllegalArgumentException("Expected a known deed, but got " + deed);
        }
    }

    /**
     * A hostile note, and others for an index to be built of: nobody writes any later, so the build takes the same time
     * anywhere.
     */
    private static byte[] notes() {
        StringBuilder lines = new StringBuilder();
        for (int note = 1; note <= NOTES; note++) {
            String words = note == 1 ? HOSTILE : "note " + note;
            lines.append(RowJson.mapper()
                            .createObjectNode()
                            .put("noteId", note)
                            .put("topic", words)
                            .put("text", words)
                            .put("author", "author " + note % 7))
                    .append('\n');
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Fifty indexes, of films, notes, and nine tables that nobody writes to. */
    private static String catalog() {
        StringBuilder text = new StringBuilder("tables:\n");
        text.append("  movies:\n    primaryKey: movieId\n    partitions: 2\n    indexes:\n")
                .append("      by_actor: { key: [{ field: cast, each: true }], projection: [title, year] }\n")
                .append("      by_genre: { key: [{ field: genres, each: true }, year], projection: keys_only }\n")
                .append("      by_year: { key: [year], projection: [title, director] }\n");
        text.append("  notes:\n    primaryKey: noteId\n    partitions: 1\n    indexes:\n")
                .append("      by_topic: { key: [topic], projection: all }\n")
                .append("      by_text: { key: [text], projection: keys_only }\n");
        for (int table = 1; table <= 9; table++) {
            text.append("  shelf_").append(table).append(":\n    primaryKey: id\n    partitions: 1\n    indexes:\n");
            for (int index = 1; index <= 5; index++) {
                text.append("      shelf_").append(table).append("_by_").append(index);
                text.append(": { key: [f").append(index).append("], projection: keys_only }\n");
            }
        }
        return text.toString();
    }

    /** Writes one film after the other, again and again. */
    private static final class Retakes implements Agent {
        private final Facts facts;
        private int take;

        Retakes(Facts facts) {
            this.facts = facts;
        }

        @Override
        public String roleName() {
            return "retakes";
        }

        @Override
        public int doWork() throws InterruptedException {
            ObjectNode film = RowJson.mapper().createObjectNode();
            film.put("movieId", "retake-" + take % 50).put("title", "Retake").put("year", 2100 + take++ % 7);
            try {
                facts.put("movies", film.path("movieId").textValue(), film).requireOk();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            return 0;
        }
    }
}
