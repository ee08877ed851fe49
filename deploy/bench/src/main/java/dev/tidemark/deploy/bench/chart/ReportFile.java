package dev.tidemark.deploy.bench.chart;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.tidemark.deploy.bench.MarkedSection;

/**
 * A report of benchmarks in Markdown, and beside it {@code aims.svg}, a picture of all aims that its tables tell of.
 *
 * @param file the Markdown
 */
public record ReportFile(Path file) {
    private static final String PICTURE = "aims.svg";

    /** Puts what a benchmark found into its section, and draws the picture anew. */
    public void write(String benchmark, List<String> lines) throws IOException {
        new MarkedSection(benchmark).write(lines, file);
        List<AimResult> aims = Aims.in(Files.readAllLines(file));
        if (!aims.isEmpty()) {
            try (OutputStream picture = Files.newOutputStream(file.resolveSibling(PICTURE))) {
                new AimChart(aims).write(picture);
            }
        }
    }
}
