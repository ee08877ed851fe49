package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

class ProgressLineTest {
    private final Terminals.Recorded screen = Terminals.Recorded.pipe();

    @Test
    void isABarForEachTaskOnATerminal() {
        Terminal pipe = screen.terminal();
        Terminal terminal = new Terminal(pipe.out(), pipe.err(), true, true, false, 100);

        try (ProgressLine progress = new ProgressLine(terminal, "rows", true)) {
            progress.show("customers", 0, 10);
            progress.show("customers", 10, 10);
            progress.show("films", 0, 20);
        }

        assertThat(screen.err()).contains("customers", "10/10 rows", "films", "0/20 rows");
        assertThat(screen.out()).isEmpty();
    }

    @Test
    void aNameThatAServiceAnsweredDoesNotControlTheTerminal() {
        Terminal pipe = screen.terminal();
        Terminal terminal = new Terminal(pipe.out(), pipe.err(), true, true, false, 100);

        try (ProgressLine progress = new ProgressLine(terminal, "rows", true)) {
            progress.show("films\u001b]0;title\u0007", 0, 20);
        }

        assertThat(screen.err()).contains("films ]0;title").doesNotContain("\u0007");
    }

    @Test
    void isNothingInAPipe() {
        try (ProgressLine progress = new ProgressLine(screen.terminal(), "rows", false)) {
            progress.show("customers", 1, 10);
        }

        assertThat(screen.err()).isEmpty();
    }

    @Test
    void aFileReportsTheLinesThatWereReadOfIt(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("rows"), "a\nb\nc");
        List<Long> reported = new ArrayList<>();

        try (InputStream in = CountedLines.open(file, reported::add)) {
            assertThat(in.read()).isEqualTo('a');
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("\nb\nc");
        }

        assertThat(reported).last().isEqualTo(2L);
        assertThat(CountedLines.of(file)).isEqualTo(2);
    }
}
