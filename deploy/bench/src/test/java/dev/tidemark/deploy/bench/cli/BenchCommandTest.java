package dev.tidemark.deploy.bench.cli;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import dev.tidemark.deploy.cli.CannedServices;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.CommandProvider;
import dev.tidemark.deploy.cli.Tidemark;
import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

final class BenchCommandTest {
    private final Terminals.Recorded screen = Terminals.Recorded.pipe();

    @ParameterizedTest
    @ValueSource(
            strings = {"bench", "bench put", "bench indexes", "bench bulk", "bench query", "bench restart", "bench join"
            })
    void explainsEachBenchmarkWithAnExample(String command) {
        assertThat(run(command + " --help")).isZero();
        assertThat(screen.out()).contains("Usage: tidemark " + command, "Example", "tidemark " + command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench fastest",
                "bench visibility --rate 0",
                "bench visibility --time soon",
                "bench visibility --rounds 0",
                "bench put --rounds 0",
                "bench indexes --indexes 9",
                "bench query --time soon",
                "bench restart --entries 0"
            })
    void answersWrongUsageWithTwoAndAHint(String line) {
        assertThat(run(line)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(screen.err()).contains("--help");
    }

    @ParameterizedTest
    @CsvSource({
        "bench put --time 250ms,'--time',250ms",
        "bench visibility --cost-rounds -1,'--cost-rounds',-1",
        "bench growth --rows 10 --rounds 0,'--rounds',0",
    })
    void valuesAreQuotedAsTheyAreWritten(String line, String option, String value) {
        assertThat(run(line)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(screen.err()).contains(option, "but got " + value);
    }

    @Test
    void sizesOfATableGrow() {
        assertThat(run("bench growth --rows 20,10")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(screen.err()).contains("expected --rows that grow, but got [20, 10]");
    }

    private int run(String line) {
        CommandProvider provider = context -> List.of(
                BenchCommand.of(BenchMain.benchmarks(""), new NoSystems(), context.readiness(), context.terminal()));
        CommandContext context = new CommandContext(new CannedServices(), url -> false, screen.terminal(), work -> {});
        return Tidemark.commandLine(context, List.of(), List.of(provider)).execute(line.split(" ", -1));
    }
}
