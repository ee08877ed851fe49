package dev.tidemark.deploy.bench.cli;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

final class BenchSuiteTest {
    private final CommandLine bench = BenchCommand.of(
            BenchMain.benchmarks(""),
            new NoSystems(),
            url -> false,
            Terminals.Recorded.pipe().terminal());

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyStepIsABenchmarkThatTakesItsOptions(boolean quick) {
        assertThat(BenchCommand.steps(quick, List.of("--data", "x", "--report", "y")))
                .hasSizeGreaterThan(6)
                // Fails where a name or an option is not known.
                .allSatisfy(step -> assertThat(
                                bench.parseArgs(step.toArray(String[]::new)).subcommand())
                        .isNotNull());
        if (!quick) {
            assertThat(BenchCommand.steps(false, List.of()).stream().map(step -> step.get(0)))
                    .containsExactlyInAnyOrderElementsOf(bench.getSubcommands().keySet());
        }
    }
}
