package dev.tidemark.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A section of a page in {@code docs/} that is rendered from the code. A test compares the two; with the system
 * property {@code docs.write=true} it writes the section.
 *
 * @param page name of the file in {@code docs/}
 * @param section name in the two comments that enclose the section
 * @param module the module of the test
 * @param test the test that renders the section
 */
public record GeneratedPage(String page, String section, String module, Class<?> test) {
    /** Compares the section with what the code renders, or writes it. */
    public void holds(List<String> rendered) {
        Path file = SourceTree.ofProject().root().resolve("docs").resolve(page);
        List<String> found = SourceTree.lines(file);
        List<String> wanted = with(rendered, found);
        if (Boolean.getBoolean("docs.write") && !wanted.equals(found)) {
            write(file, wanted);
            return;
        }
        assertThat(found)
                .as("docs/%s is not what the code says. This writes it again:%n%n    %s%n%n", page, command())
                .isEqualTo(wanted);
    }

    /** The command that writes the section. */
    public String command() {
        return "mvn -pl " + module + " -am test -Dtest=" + test.getSimpleName()
                + " -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true";
    }

    private List<String> with(List<String> rendered, List<String> lines) {
        String begin = "<!-- generated: " + section + " -->";
        String end = "<!-- end of " + section + " -->";
        int from = lines.indexOf(begin);
        int to = lines.indexOf(end);
        assertThat(from).as("line of %s in docs/%s", begin, page).isNotNegative();
        assertThat(to).as("line of %s in docs/%s", end, page).isGreaterThan(from);
        List<String> all = new ArrayList<>(lines.subList(0, from + 1));
        all.add("");
        all.addAll(rendered);
        all.add("");
        all.addAll(lines.subList(to, lines.size()));
        return all;
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
