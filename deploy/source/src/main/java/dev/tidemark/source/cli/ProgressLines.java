package dev.tidemark.source.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.row.RowJson;
import dev.tidemark.source.feed.Progress;

/** Progress as lines: for people on standard error, for programs as JSON on standard output. */
public final class ProgressLines implements Progress {
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final Terminal terminal;
    private final boolean json;
    private final Clock clock;
    private final Map<String, Long> expected = new TreeMap<>();
    private final Map<String, Long> read = new TreeMap<>();
    private Instant began = Instant.EPOCH;
    private Instant shown = Instant.EPOCH;

    public ProgressLines(Terminal terminal, boolean json, Clock clock) {
        this.terminal = terminal;
        this.json = json;
        this.clock = clock;
    }

    @Override
    public synchronized void began(String why, Map<String, Long> rows) {
        expected.clear();
        expected.putAll(rows);
        read.clear();
        rows.keySet().forEach(table -> read.put(table, 0L));
        began = clock.instant();
        shown = began;
        say("snapshot", "snapshot begins, because " + why);
    }

    @Override
    public synchronized void read(String table) {
        read.merge(table, 1L, Long::sum);
        if (clock.instant().isAfter(shown.plus(INTERVAL))) {
            show();
        }
    }

    private void show() {
        shown = clock.instant();
        long done = sum(read);
        long all = Math.max(done, sum(expected));
        boolean known = sum(expected) > done;
        long millis = Duration.between(began, shown).toMillis();
        long left = done == 0 ? 0 : (long) ((double) (all - done) / done * millis);
        if (json) {
            ObjectNode line =
                    line("progress").put("rows", done).put("expected", all).put("leftMs", left);
            ObjectNode tables = line.putObject("tables");
            read.forEach((table, rows) ->
                    tables.putObject(table).put("rows", rows).put("expected", expected.getOrDefault(table, 0L)));
            terminal.line(line.toString());
        } else {
            String rest =
                    known ? " of about %,d, %d %%, about %d s left".formatted(all, done * 100 / all, left / 1000) : "";
            terminal.complain("snapshot: %,d rows%s".formatted(done, rest));
        }
    }

    private static long sum(Map<String, Long> rows) {
        return rows.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void started(boolean snapshot) {}

    @Override
    public void stopped() {}

    @Override
    public void sent(int changes, long bytes, Optional<Instant> watermark) {}

    @Override
    public synchronized void ended() {
        long took = Duration.between(began, clock.instant()).toMillis();
        say("following", "snapshot ended: %,d rows in %.1f s; following changes".formatted(sum(read), took / 1000.0));
    }

    /** It can be watched, and begins. */
    public synchronized void ready(String url) {
        say("ready", "ready on " + url);
    }

    @Override
    public synchronized void warn(String text) {
        say("warning", text);
    }

    private void say(String event, String text) {
        if (json) {
            terminal.line(line(event).put("text", text).toString());
        } else {
            terminal.complain("tidemark source: " + text);
        }
    }

    private ObjectNode line(String event) {
        return RowJson.mapper()
                .createObjectNode()
                .put("time", clock.instant().toString())
                .put("event", event);
    }
}
