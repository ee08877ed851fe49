package dev.tidemark.source.debezium;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.kafka.connect.data.Struct;

import dev.tidemark.row.TreeWeight;
import dev.tidemark.source.feed.BinaryLog;
import dev.tidemark.source.feed.Database;
import dev.tidemark.source.feed.SourceEvent;

/**
 * Holds the events of a transaction of MariaDB back until its end is known. The binary log also has transactions that
 * were rolled back, if they created or dropped a temporary table, and the stream says of those only that another one
 * begins. For one thread.
 */
final class OpenTransaction {
    /** As events are held on top of those of a batch, a larger transaction is passed on before its end. */
    private static final long MOST_WEIGHT = 1 << 20;

    private final BinaryLog log;
    private final List<SourceEvent> held = new ArrayList<>();
    private long weight;
    private String file = "";
    private long position;

    OpenTransaction(BinaryLog log) {
        this.log = log;
    }

    private boolean isLarge() {
        return weight > MOST_WEIGHT;
    }

    /** Returns what to go on with after an event of the transaction. */
    List<SourceEvent> add(SourceEvent event, Struct source) {
        file = source.getString("file");
        position = source.getInt64("pos");
        held.add(event);
        weight += weight(event);
        return isLarge() ? taken() : List.of();
    }

    private static long weight(SourceEvent event) {
        return event instanceof SourceEvent.Put put
                ? TreeWeight.of(put.row()) + put.before().map(TreeWeight::of).orElse(0L)
                : event instanceof SourceEvent.Delete delete ? TreeWeight.of(delete.row()) : 1;
    }

    private List<SourceEvent> taken() {
        List<SourceEvent> events = List.copyOf(held);
        held.clear();
        return events;
    }

    /** Returns what to go on with after the transaction was committed. */
    List<SourceEvent> committed() {
        weight = 0;
        return taken();
    }

    /** Returns what to go on with before the stream comes to something else, whether or not it ended. */
    List<SourceEvent> left() {
        if (weight == 0) {
            return List.of();
        }
        boolean passed = isLarge();
        List<SourceEvent> events = committed();
        return switch (end()) {
            case OTHER -> events;
            case COMMITTED ->
                throw new IllegalStateException("the stream of the database lacks the end of a transaction");
            case ROLLED_BACK -> passed ? List.of(rolledBack()) : List.of();
        };
    }

    private BinaryLog.End end() {
        try {
            return log.end(file, position);
        } catch (Database.DatabaseException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static SourceEvent rolledBack() {
        return new SourceEvent.Alteration(
                Optional.empty(), Optional.of("a transaction was rolled back whose rows had been read"));
    }
}
