package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.AppliedCatalog;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;

/** A catalog is brought in force while the stack runs and rows are written: nothing is started again. */
@Execution(ExecutionMode.CONCURRENT)
@TakesTurns(turn = 2, of = 3)
class ChangedCatalogIT {
    private static final String TABLE = "people";
    private static final Path CATALOG = StackUnderTest.resource("/e2e/kills.yaml");
    private static final long PATIENCE_SECONDS = 120;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void indexesAreCreatedChangedAndDroppedWhileRowsAreWritten() throws Exception {
        String later = Files.readString(CATALOG);
        String earlier = later.replaceAll("(?m)^ +(by_tag|active_by_score): .*\\R", "")
                .replaceAll("(by_town: .* projection: )all", "$1[name]")
                .replaceAll("(?m)^( +)named_elsewhere: ", "$1to_be_dropped: ");
        Path first = Files.writeString(directory.resolve("earlier.yaml"), earlier);
        Path second = Files.writeString(directory.resolve("later.yaml"), later);
        try (StackUnderTest stack = StackUnderTest.start("catalog", settings -> settings.withCatalog(first))) {
            try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 14)) {
                BoundedWait.rest(Duration.ofSeconds(1));
                assertThat(namesOf(stack)).contains("to_be_dropped").doesNotContain("by_tag");
                assertThat(AppliedCatalog.apply(
                                stack, second, directory.resolve("output"), "--wait", "--wait-time", "100s"))
                        .contains(
                                "create", "by_tag", "each change of the table costs", "is ready", "forecast", "actual");
                assertThat(namesOf(stack)).doesNotContain("to_be_dropped").contains("by_tag");
                load.stop();
            }
            stack.settle(StackUnderTest.readCatalog(second).table(TABLE).orElseThrow());
            ofTwoCommandsAtTheSameMomentOneWins(
                    stack,
                    Files.writeString(directory.resolve("one.yaml"), later.replaceAll("(?m)^ +by_tag: .*\\R", "")),
                    Files.writeString(
                            directory.resolve("other.yaml"), later.replaceAll("(?m)^ +active_by_score: .*\\R", "")));
        }
    }

    /**
     * Two commands in two processes, each held where it has read the definitions and asks what its change would cost.
     * When both are there, they are let go: nobody tells them the cost, and each goes on.
     */
    private void ofTwoCommandsAtTheSameMomentOneWins(StackUnderTest stack, Path one, Path other) throws Exception {
        WriterApi catalog = new HttpServices().writer(stack.stack().writerUrl());
        long version = catalog.inForce().version();
        List<Process> commands = new ArrayList<>();
        List<Path> outputs = List.of(directory.resolve("one"), directory.resolve("other"));
        try {
            try (ServerSocket gate = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
                gate.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
                URI held = URI.create("http://127.0.0.1:" + gate.getLocalPort());
                commands.add(AppliedCatalog.begin(stack, held, one, outputs.get(0)));
                commands.add(AppliedCatalog.begin(stack, held, other, outputs.get(1)));
                try (Socket first = gate.accept();
                        Socket second = gate.accept()) {
                    assertThat(first.getPort()).isNotEqualTo(second.getPort());
                }
            }
            List<Integer> codes = new ArrayList<>();
            for (Process command : commands) {
                assertThat(command.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
                codes.add(command.exitValue());
            }
            assertThat(codes).as("exit codes").containsExactlyInAnyOrder(0, 1);
            String loser = Files.readString(outputs.get(codes.indexOf(1)));
            String winner = Files.readString(outputs.get(codes.indexOf(0)));
            assertThat(winner).contains("Version " + (version + 1) + " of the definitions is in force.");
            assertThat(loser)
                    .contains("in between, another client did")
                    .contains(codes.get(0) == 0 ? "drop people.by_tag" : "drop people.active_by_score")
                    .contains("Run this again: it shows what is left to change from version " + (version + 1));
            assertThat(catalog.inForce().version()).isEqualTo(version + 1);
        } finally {
            commands.forEach(Process::destroyForcibly);
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
