package dev.tidemark.deploy.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

/** That the benchmark runs, not how fast anything is. */
@Execution(ExecutionMode.CONCURRENT)
final class BenchIT {
    private static final long PATIENCE_SECONDS = 300;

    @TempDir
    Path directory = Path.of("");

    @Test
    void printsRatiosOfAllContestants() throws Exception {
        JsonNode report = run(
                "visibility",
                "--rate",
                "200",
                "--rounds",
                "1",
                "--time",
                "500ms",
                "--warm-up",
                "500ms",
                "--cost-rounds",
                "0",
                "--json");

        assertThat(report.path("machine").path("processors").asInt()).isPositive();
        JsonNode rate = report.path("rates").path(0);
        assertThat(rate.path("changesPerSecond").asInt()).isEqualTo(200);
        for (String contestant : List.of("bareLoop", "bareLoopDefaultLinger", "tidemark")) {
            assertThat(rate.path(contestant).path("p50Seconds").path("median").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(rate.path(contestant)
                            .path("p99Seconds")
                            .path("median")
                            .asDouble());
        }
        assertThat(rate.path("bareLoop").path("ratio").path("p50").asDouble()).isPositive();
        assertThat(rate.path("tidemarkFromOutside").path("sent_to_seen").isObject())
                .isTrue();
    }

    private JsonNode run(String... arguments) throws Exception {
        Path launcher = Installation.locate().home().resolve("deploy/tidemark");
        Path output = directory.resolve("output");
        Path complaints = directory.resolve("complaints");
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "bench")
                .redirectOutput(output.toFile())
                .redirectError(complaints.toFile());
        builder.command().addAll(List.of(arguments));
        // The build that runs this test must not be started by it.
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(complaints)).isZero();
            return RowJson.parse(Files.readAllBytes(output));
        } finally {
            process.destroy();
        }
    }
}
