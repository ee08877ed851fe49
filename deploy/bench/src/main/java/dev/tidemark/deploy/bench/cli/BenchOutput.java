package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.bench.MarkedSection;
import dev.tidemark.deploy.text.Terminal;

/** Where a benchmark works, and what it shows in which form. */
final class BenchOutput {
    @Option(names = "--data", paramLabel = "DIR", description = "Work in a temporary directory below this one.")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--report", paramLabel = "FILE", description = "Write the report into this Markdown file as well.")
    private @Nullable Path report;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    /** A directory to work below. */
    Path data() {
        return data;
    }

    /**
     * Shows what was found.
     *
     * @param benchmark whose section of the report it is
     * @param text for people
     */
    void show(
            String benchmark,
            List<String> markdown,
            ObjectNode forPrograms,
            Supplier<List<String>> text,
            Terminal terminal)
            throws IOException {
        if (report != null) {
            new MarkedSection(benchmark).write(markdown, report);
        }
        if (json) {
            terminal.line(forPrograms.toString());
        } else {
            terminal.lines(text.get());
        }
    }
}
