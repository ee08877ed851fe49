package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.chart.ReportFile;

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

    @Option(names = "--data", paramLabel = "DIR", description = "Work in a temporary directory below this one.")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--report", paramLabel = "FILE", description = "Write the report into this Markdown file as well.")
    private @Nullable Path report;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    int rows() {
        return rows;
    }

    int rounds() {
        return rounds;
    }

    Path data() {
        return data;
    }

    boolean json() {
        return json;
    }

    /** Writes the section of a benchmark into the report, where one is wanted: a paragraph, and an item for each other line. */
    void write(String benchmark, List<String> lines) throws IOException {
        if (report != null) {
            List<String> section = new ArrayList<>(List.of(lines.get(0), ""));
            lines.stream().skip(1).forEach(line -> section.add("- " + line));
            new ReportFile(report).write(benchmark, section);
        }
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
