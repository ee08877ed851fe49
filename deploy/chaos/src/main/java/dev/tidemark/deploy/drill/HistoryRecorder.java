package dev.tidemark.deploy.drill;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.oracle.RowTimeline;
import dev.tidemark.deploy.oracle.RowTimeline.Write;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.row.RowJson;

/** Records every write and its outcome in ledger and log. */
public record HistoryRecorder(ExpectedState ledger, HistoryLog log, DrillFindings findings, Clock clock) {
    private static final Set<Integer> NOTHING_DONE = Set.of(400, 409, 412, 413, 415, 422, 429);
    private static final int ABSENT = 404;
    private static final int SERVER_ERROR = 500;

    /**
     * A write that is under way.
     *
     * @param number of the write in the timeline of its row
     */
    public record Pending(
            HistoryRecorder books,
            String table,
            ExpectedState.RowKey key,
            Write write,
            RowTimeline timeline,
            int number) {
        /** An answer to it alone. */
        public void answered(Reply reply) {
            if (reply.ok()) {
                Optional<Boolean> created = Optional.of(write.kind() == Write.Kind.PUT && reply.status() == 201);
                acknowledged(reply.json().path("version").asText(), created);
            } else if (reply.status() == ABSENT && write.kind() != Write.Kind.PUT) {
                absent();
            } else if (NOTHING_DONE.contains(reply.status()) || reply.isRefusedWrite()) {
                failed(reply.toString());
            } else {
                unknown(reply.toString());
                if (reply.status() == SERVER_ERROR || reply.status() == ABSENT) {
                    books.findings.differ(
                            List.of("a " + write.kind() + " of " + table + " " + key + " was answered " + reply));
                }
            }
        }

        /** It was done. */
        public void acknowledged(String version, Optional<Boolean> created) {
            timeline.acknowledged(number, books.clock.instant(), version, created);
            books.findings.count(DrillFindings.Kind.ACKNOWLEDGED, 1);
            tell("ok", version);
        }

        /** There was no such row. */
        public void absent() {
            timeline.absent(number, books.clock.instant());
            books.findings.count(DrillFindings.Kind.FAILED, 1);
            tell("fail", "no such row");
        }

        /** As a line of a load it was rejected, which a delete is when there is no such row. */
        public void rejected() {
            if (write.kind() == Write.Kind.DELETE) {
                absent();
            } else {
                failed("rejected");
                books.findings.differ(List.of("a good line of a load was rejected: " + table + " " + key));
            }
        }

        /** It was not done. */
        public void failed(String why) {
            timeline.failed(number);
            books.findings.count(DrillFindings.Kind.FAILED, 1);
            tell("fail", why);
        }

        /** Records that the outcome is unknown. */
        public void unknown(String why) {
            books.findings.count(DrillFindings.Kind.UNKNOWN, 1);
            tell("unknown", why);
        }

        private void tell(String type, String note) {
            books.log.add(type, line -> {
                line.put("op", write.kind().name().toLowerCase(Locale.ROOT)).put("table", table);
                line.set("key", key.json());
                line.put("n", number);
                if (type.equals("invoke")) {
                    line.set("body", write.body());
                } else {
                    line.put("note", note);
                }
            });
        }
    }

    /** A write is about to be sent. */
    public Pending begin(String table, ExpectedState.RowKey key, Write write) {
        RowTimeline timeline = ledger.of(table, key);
        Pending pending = new Pending(this, table, key, write, timeline, timeline.invoked(write, clock.instant()));
        pending.tell("invoke", "");
        return pending;
    }

    /**
     * The history of a drill as lines of JSON, in the order in which things became known: {@code ns} since the
     * beginning,
     * {@code type} ({@code invoke}, {@code ok}, {@code fail}, {@code unknown}, {@code fault}), and what belongs to it.
     */
    public static final class HistoryLog implements AutoCloseable {
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
}
