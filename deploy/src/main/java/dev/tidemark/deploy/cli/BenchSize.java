package dev.tidemark.deploy.cli;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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

    /** Fails as a wrong use of the command where nothing can be measured. */
    void check() {
        if (spec != null && (rows < 1 || rounds < 1)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "expected --rows and --rounds of at least 1, but got " + rows + " and " + rounds);
        }
    }
}
