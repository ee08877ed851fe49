package dev.tidemark.writer.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowVersion;
import dev.tidemark.row.TreeWeight;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.SourceRequest;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/** A batch of a source, put together change by change. */
final class SourceBatch {
    /** What a command takes besides its row. */
    private static final long COMMAND_BYTES = 512;

    /** What the name of a member that is kept takes besides its characters. */
    private static final long NAME_BYTES = 64;

    private final String source;
    private final Map<String, RowRules> tables;
    private final boolean lenient;
    private final Map<String, Part> parts = new LinkedHashMap<>();

    /** Where each change is, by its place in the batch. */
    private final List<Change> changes = new ArrayList<>();

    private long heldBytes;

    /** A change that was taken in. */
    record Change(RowRules rules, WriteCommand command, int place) {}

    /** The changes of one table. */
    private static final class Part {
        private final List<Change> changes = new ArrayList<>();
        private long bytes;
    }

    /**
     * An empty batch.
     *
     * @param tables those that follow the source, by name
     * @param lenient whether rows are taken that an index cannot hold
     */
    SourceBatch(String source, Map<String, RowRules> tables, boolean lenient) {
        this.source = source;
        this.tables = tables;
        this.lenient = lenient;
    }

    /** Bytes of heap that the changes take, about. */
    long heldBytes() {
        return heldBytes;
    }

    /** The number of changes so far. */
    int size() {
        return changes.size();
    }

    /** The rules of a table that follows the source. */
    RowRules rules(String table) throws BadJsonException {
        RowRules rules = tables.get(table);
        if (rules == null) {
            throw new BadJsonException(
                    "expected a table that follows source " + source + ", " + tables.keySet() + ", but got " + table);
        }
        return rules;
    }

    /**
     * Adds a row to put.
     *
     * @param keep members that stay as they are
     */
    void put(RowRules rules, ObjectNode row, List<String> keep) throws BadInputException {
        var key = rules.keyOf(row);
        if (!keep.isEmpty()) {
            long names = keep.stream()
                    .mapToLong(name -> NAME_BYTES + 2L * name.length())
                    .sum();
            add(rules, new WriteCommand.Fill(key, row, keep), TreeWeight.of(row) + names);
            return;
        }
        WriteCommand.Put put = lenient ? rules.admit(key, row) : rules.accept(key, row);
        add(rules, put, put.row().bytes().length + put.termBytes());
    }

    /**
     * Adds a row to delete.
     *
     * @param key its key, as members of an object
     * @param before the first version that is too new; empty to delete any
     */
    void delete(RowRules rules, ObjectNode key, Optional<RowVersion> before) throws BadInputException {
        Precondition condition =
                before.<Precondition>map(Precondition.IfBefore::new).orElse(Precondition.NONE);
        add(rules, new WriteCommand.Delete(rules.keyOf(key), condition), 0);
    }

    private void add(RowRules rules, WriteCommand command, long bytes) {
        Part part = parts.computeIfAbsent(rules.table().name(), table -> new Part());
        Change change = new Change(rules, command, changes.size());
        part.changes.add(change);
        part.bytes += bytes + command.key().length();
        changes.add(change);
        heldBytes += 2 * bytes + COMMAND_BYTES;
    }

    /** The changes in the order of {@link #request}'s outcomes. */
    List<Change> inOrder() {
        return parts.values().stream().flatMap(part -> part.changes.stream()).toList();
    }

    /** The request to commit. */
    SourceRequest request(
            Optional<ObjectNode> after,
            ObjectNode position,
            Optional<Instant> watermark,
            Optional<Set<String>> covered) {
        Map<String, Long> followers = new LinkedHashMap<>();
        tables.forEach((name, rules) -> followers.put(name, rules.sourceSince()));
        List<WriteRequest> requests = new ArrayList<>();
        parts.forEach((table, part) -> {
            List<WriteCommand> commands =
                    part.changes.stream().map(Change::command).toList();
            RowRules rules = part.changes.get(0).rules();
            requests.add(new WriteRequest(table, commands, true, part.bytes).checkedBy(rules));
        });
        return new SourceRequest(source, followers, after, position, watermark, covered, requests, lenient);
    }
}
