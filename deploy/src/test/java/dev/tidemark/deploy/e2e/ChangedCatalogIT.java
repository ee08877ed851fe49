package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.client.CatalogApi;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.runtime.Waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A catalog is brought in force while the stack runs and rows are written: nothing is started again. */
class ChangedCatalogIT {
    private static final String TABLE = "people";
    private static final long PATIENCE_SECONDS = 120;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void indexesAreCreatedChangedAndDroppedWhileRowsAreWritten() throws Exception {
        String later = Files.readString(StackUnderTest.catalogFile());
        String earlier = later.replaceAll("(?m)^ +(by_tag|active_by_score): .*\\R", "")
                .replaceAll("(by_town: .* projection: )all", "$1[name]")
                .replaceAll("(?m)^( +)named_elsewhere: ", "$1to_be_dropped: ");
        Path first = Files.writeString(directory.resolve("earlier.yaml"), earlier);
        Path second = Files.writeString(directory.resolve("later.yaml"), later);
        try (StackUnderTest stack = StackUnderTest.start("catalog", settings -> settings.withCatalog(first))) {
            try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 14)) {
                Waiting.rest(Duration.ofSeconds(1));
                assertThat(namesOf(stack)).contains("to_be_dropped").doesNotContain("by_tag");
                assertThat(apply(stack, second)).isZero();
                assertThat(namesOf(stack)).doesNotContain("to_be_dropped").contains("by_tag");
                load.stop();
            }
            stack.settle(TABLE);
            ofTwoChangesFromOneVersionOneWins(stack, earlier, later);
        }
    }

    private static void ofTwoChangesFromOneVersionOneWins(StackUnderTest stack, String winner, String loser)
            throws Exception {
        CatalogApi catalog = new HttpServices().catalog(stack.stack().writerUrl());
        long version = catalog.inForce().version();
        catalog.put(winner, version);

        assertThatThrownBy(() -> catalog.put(loser, version))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("412")
                .hasMessageContaining("drop people.by_tag");
        assertThat(catalog.inForce().version()).isEqualTo(version + 1);
    }

    /** Runs the command as a person would, and waits until what it builds is ready. */
    private int apply(StackUnderTest stack, Path file) throws Exception {
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                        Installation.locate().home().resolve("deploy/tidemark").toString(),
                        "apply",
                        "-f",
                        file.toString(),
                        "--yes",
                        "--wait",
                        "--writer",
                        stack.stack().writerUrl().toString(),
                        "--worker",
                        stack.stack().workerUrl().toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // The build that runs this test must not be started by it.
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("apply ends; so far it said %s", Files.readString(output))
                    .isTrue();
            assertThat(Files.readString(output)).contains("create", "by_tag", "is ready");
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> namesOf(StackUnderTest stack) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>();
        for (JsonNode index :
                stack.indexes().http().get("/v1/indexes").requireOk().json().path("indexes")) {
            if (index.path("table").asText().equals(TABLE)) {
                names.add(index.path("index").asText().replaceFirst(".*\\.", ""));
            }
        }
        return names;
    }
}
