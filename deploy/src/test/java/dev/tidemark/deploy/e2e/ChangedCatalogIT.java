package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Waiting;

import static org.assertj.core.api.Assertions.assertThat;

/** Indexes that the catalog gained, changed or lost are made anew from Kafka, or dropped, at the next start. */
class ChangedCatalogIT {
    private static final String TABLE = "people";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void newAndChangedIndexesAreBuiltFromKafkaAlone() throws Exception {
        String later = Files.readString(StackUnderTest.catalogFile());
        String earlier = later.replaceAll("(?m)^ +(by_tag|active_by_score): .*\\R", "")
                .replaceAll("(by_town: .* projection: )all", "$1[name]")
                .replaceAll("(?m)^( +)named_elsewhere: ", "$1to_be_dropped: ");
        Path catalog = Files.writeString(directory.resolve("catalog.yaml"), earlier);
        try (StackUnderTest stack = StackUnderTest.start("catalog", settings -> settings.withCatalog(catalog))) {
            try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 14)) {
                Waiting.rest(Duration.ofSeconds(1));
                load.stop();
            }
            assertThat(namesOf(stack)).contains("to_be_dropped").doesNotContain("by_tag");
            Files.writeString(catalog, later);
            restart(stack, Role.WORKER);
            assertThat(namesOf(stack)).doesNotContain("to_be_dropped").contains("by_tag");
            stack.settle(TABLE);
            restart(stack, Role.WRITER);
            stack.settle(TABLE);
        }
    }

    private static void restart(StackUnderTest stack, Role role) throws Exception {
        assertThat(stack.terminate(role)).isZero();
        stack.startAgain(role);
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
