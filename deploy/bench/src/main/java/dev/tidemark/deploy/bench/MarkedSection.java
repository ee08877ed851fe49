package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A section of a Markdown file that a benchmark writes: what stands between its two marks is replaced, the rest stays.
 *
 * @param benchmark whose section it is, as the command line names it
 */
public record MarkedSection(String benchmark) {

    /** Puts the lines into the file; at its end when it has no such section yet. */
    public void write(List<String> lines, Path file) throws IOException {
        String before = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        Files.writeString(file, replaced(before, lines), StandardCharsets.UTF_8);
    }

    /** The text with the lines in place of what the section held. */
    String replaced(String before, List<String> lines) {
        String first = "<!-- " + benchmark + ": written by tidemark bench " + benchmark + " --report -->";
        String last = "<!-- end of " + benchmark + " -->";
        String text = first + "\n" + String.join("\n", lines) + "\n" + last;
        int begin = before.indexOf(first);
        int end = before.indexOf(last);
        if (begin < 0 || end < begin) {
            return before.isEmpty() ? text + "\n" : before.stripTrailing() + "\n\n" + text + "\n";
        }
        return before.substring(0, begin) + text + before.substring(end + last.length());
    }
}
