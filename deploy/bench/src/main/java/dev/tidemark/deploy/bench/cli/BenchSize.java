package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.text.Terminal;

/** How large a benchmark over one table is, where it works and how it prints. */
final class BenchSize {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Rows of the table (default: ${DEFAULT-VALUE}).")
    private int rows = 1_000_000;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often each is measured (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Mixin
    private BenchOutput output = new BenchOutput();

    int rows() {
        return rows;
    }

    int rounds() {
        return rounds;
    }

    /** A directory to work below. */
    Path data() {
        return output.data();
    }

    /** Shows what a benchmark found: in the report a paragraph, and an item for each other line. */
    void show(String benchmark, List<String> lines, ObjectNode forPrograms, Terminal terminal) throws IOException {
        List<String> section = new ArrayList<>(List.of(lines.get(0), ""));
        lines.stream().skip(1).forEach(line -> section.add("- " + line));
        output.show(benchmark, section, forPrograms, () -> lines, terminal);
    }

    /** Fails as a wrong use of the command where nothing can be measured. */
    void check() {
        if (spec != null && (rows < 1 || rounds < 1)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "expected --rows and --rounds of at least 1, but got " + rows + " and " + rounds);
        }
    }
}
