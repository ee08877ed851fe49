package dev.tidemark.source;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

import dev.tidemark.source.testkit.FakeWriter;
import dev.tidemark.source.testkit.TestServer;

/**
 * Writes rows by SQL and compares the watermark with the truth: a row that was committed before the watermark must
 * be at the writer.
 */
final class WatermarkProbe implements AutoCloseable {
    private final Connection connection;
    private final FakeWriter writer;
    private final Map<Integer, Instant> committed = new ConcurrentSkipListMap<>();
    private final List<String> tooSmall = new ArrayList<>();
    private final Thread writing = new Thread(this::write, "probe-write");
    private final Thread comparing = new Thread(this::compare, "probe-compare");
    private volatile boolean closed;

    WatermarkProbe(TestServer server, String database, FakeWriter writer) throws Exception {
        this.connection = server.connect(database);
        this.writer = writer;
        writing.start();
        comparing.start();
    }

    private void write() {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO items VALUES (?, 'probe')")) {
            for (int id = 1; !closed; id++) {
                insert.setInt(1, id);
                insert.executeUpdate();
                committed.put(id, Instant.now());
                Thread.sleep(10);
            }
        } catch (Exception e) {
            failed(e.toString());
        }
    }

    private void compare() {
        try {
            while (!closed) {
                Optional<Instant> watermark = writer.watermark();
                Set<String> there = writer.rows("items").keySet();
                committed.forEach((id, time) -> {
                    if (watermark.filter(time::isBefore).isPresent() && !there.contains(id.toString())) {
                        failed("row " + id + " of " + time + " is not there at " + watermark);
                    }
                });
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void failed(String why) {
        tooSmall.add(why);
    }

    /** What was wrong. */
    synchronized List<String> tooSmall() {
        return List.copyOf(tooSmall);
    }

    /** How far the watermark is behind the clock. */
    Duration age() {
        return Duration.between(writer.watermark().orElse(Instant.EPOCH), Instant.now());
    }

    int written() {
        return committed.size();
    }

    @Override
    public void close() {
        closed = true;
        try {
            writing.join();
            comparing.join();
            connection.close();
        } catch (InterruptedException | SQLException e) {
            throw new AssertionError(e);
        }
    }
}
