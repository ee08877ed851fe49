package dev.tidemark.deploy.drill.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;

/**
 * The history of a drill as lines of JSON, in the order in which things became known: {@code ns} since the beginning,
 * {@code type} ({@code invoke}, {@code ok}, {@code fail}, {@code unknown}, {@code fault}), and what belongs to it.
 */
public final class HistoryLog implements AutoCloseable {
    private final BufferedWriter out;
    private final Clock clock;
    private final Instant begun;

    /** Begins a file. */
    public HistoryLog(Path file, Clock clock) throws IOException {
        this.out = Files.newBufferedWriter(file);
        this.clock = clock;
        this.begun = clock.instant();
    }

    /** Adds a line. */
    public synchronized void add(String type, Consumer<ObjectNode> more) {
        ObjectNode line = RowJson.mapper().createObjectNode();
        line.put("ns", Duration.between(begun, clock.instant()).toNanos()).put("type", type);
        more.accept(line);
        try {
            out.write(line.toString());
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
