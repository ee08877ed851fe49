package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The end of a log file, for messages about a child that did not come up. */
public final class LogTail {
    private static final int BYTES = 8_192;

    private LogTail() {}

    /** At most that many lines, each indented, stack frames left out; empty when there is nothing to read. */
    public static String lastLines(Path log, int count) {
        byte[] end;
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long start = Math.max(0, file.length() - BYTES);
            file.seek(start);
            end = new byte[(int) (file.length() - start)];
            file.readFully(end);
        } catch (IOException e) {
            return "";
        }
        List<String> lines = new String(end, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\tat "))
                .toList();
        return lines.stream()
                .skip(Math.max(0, lines.size() - count))
                .map(line -> "  | " + line)
                .collect(Collectors.joining("\n"));
    }
}
