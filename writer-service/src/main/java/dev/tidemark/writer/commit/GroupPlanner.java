package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.RowSource;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.row.TreeSize;
import dev.tidemark.row.UnreadableRowException;

/**
 * Decides what one group of requests does: from the current rows and the commands to outcomes and one batch. No clock,
 * no disk. Used for one group by one thread; each request sees what the ones before it did.
 */
public final class GroupPlanner {
    /** Bytes of rows with kept members from which on a source may keep none: small changes can keep large members. */
    private static final long MOST_KEPT = 8L << 20;

    private final Rows rows;
    private final Map<String, RowRules> rules;
    private final Instant commitTime;
    private final Map<RowId, Optional<StoredRow>> changed = new HashMap<>();
    private final List<CommittedChange> changes = new ArrayList<>();

    /** Where sources stand that the group moves. */
    private final Map<String, SourcePosition> sources = new HashMap<>();

    private final Counter counter;
    private final MemoryBudget.Part memory;
    private final DigestDelta delta = new DigestDelta();
    private RowVersion last;
    private long bytes;

    /** The rows as they were before the group. */
    @FunctionalInterface
    public interface Rows {
        /** The row with that key, or null. */
        @Nullable
        StoredRow current(String table, KeyBytes key);

        /** Where a source stood before the group; empty before its first batch. */
        default Optional<SourcePosition> currentPosition(String source) {
            return Optional.empty();
        }
    }

    /** Counts what a change does to digests. */
    @FunctionalInterface
    interface Counter {
        /**
         * Adds it.
         *
         * @param terms what was derived of the new row, by generation; empty for nothing
         * @param before the row just before the change, earlier changes of the same group included; null where there
         *     was none
         * @return the change with the digests of its row
         */
        CommittedChange count(
                CommittedChange change, Map<Long, EntryTerms> terms, @Nullable StoredRow before, DigestDelta delta);
    }

    /**
     * A planner of one group.
     *
     * @param rules of every table that a request may name
     * @param last version of the last change before the group
     * @param commitTime later than every earlier commit and promise
     * @param counter counts each change once
     * @param memory for the trees of rows that are patched or checked again
     */
    GroupPlanner(
            Rows rows,
            Map<String, RowRules> rules,
            RowVersion last,
            Instant commitTime,
            Counter counter,
            MemoryBudget.Part memory) {
        this.rows = rows;
        this.rules = rules;
        this.last = last;
        this.commitTime = commitTime;
        this.counter = counter;
        this.memory = memory;
    }

    /**
     * Plans a request and returns the outcomes of its commands, in their order. The outcomes hold once the batch is
     * committed. A request for which this fails, for any reason, has no part in the batch.
     */
    public List<CommitOutcome> plan(CommitRequest request) {
        return request instanceof SourceRequest ofSource ? plan(ofSource) : plan((WriteRequest) request);
    }

    private List<CommitOutcome> plan(WriteRequest request) {
        RowRules tableRules = rulesOf(request);
        Optional<RowSource> source = tableRules.table().source();
        if (source.isPresent() && !request.commands().stream().allMatch(WriteCommand.Touch.class::isInstance)) {
            return request.commands().stream()
                    .<CommitOutcome>map(command -> new CommitOutcome.Followed(source.get()))
                    .toList();
        }
        Attempt attempt = new Attempt(tableRules, request, false, last);
        List<CommitOutcome> outcomes =
                request.commands().stream().map(attempt::outcomeOf).toList();
        if (request.atomic() && !outcomes.stream().allMatch(CommitOutcome::applied)) {
            return abandoned(outcomes);
        }
        if (source.isPresent() && outcomes.stream().anyMatch(CommitOutcome.Written.class::isInstance)) {
            // Before the changes are kept: it reads where the source stands, which can fail.
            String name = source.get().name();
            position(name).ifPresent(position -> sources.put(name, position.restated(attempt.version)));
        }
        keep(attempt);
        return outcomes;
    }

    private List<CommitOutcome> plan(SourceRequest request) {
        Optional<SourcePosition> stored = position(request.source());
        if (!request.isAfter(stored)) {
            return List.of(new CommitOutcome.PositionMoved(stored));
        }
        RowVersion restated = stored.map(SourcePosition::restated).orElse(RowVersion.NONE);
        if (request.sweepsAcross(restated)) {
            return List.of(new CommitOutcome.Restated(restated));
        }
        if (request.overstates(stored)) {
            return List.of(new CommitOutcome.WatermarkTooEarly(stored.flatMap(SourcePosition::watermark)));
        }
        List<Attempt> attempts = new ArrayList<>();
        List<CommitOutcome> outcomes = new ArrayList<>();
        RowVersion version = last;
        long kept = 0;
        for (WriteRequest part : request.parts()) {
            Attempt attempt = new Attempt(followingRules(request.source(), part), part, request.lenient(), version);
            for (WriteCommand command : part.commands()) {
                boolean fills = command instanceof WriteCommand.Fill;
                if (fills && kept >= MOST_KEPT) {
                    return List.of(new CommitOutcome.TooMuchKept(MOST_KEPT));
                }
                outcomes.add(attempt.outcomeOf(command));
                kept += fills ? attempt.lastBytes() : 0;
            }
            attempts.add(attempt);
            version = attempt.version;
        }
        if (outcomes.stream().anyMatch(GroupPlanner::stops)) {
            return abandoned(outcomes);
        }
        attempts.forEach(this::keep);
        sources.put(request.source(), request.from(stored));
        return outcomes;
    }

    /** Where a source stands; empty before its first batch, when it has read no row. */
    private Optional<SourcePosition> position(String source) {
        return Optional.ofNullable(sources.get(source)).or(() -> rows.currentPosition(source));
    }

    private static boolean stops(CommitOutcome outcome) {
        return outcome instanceof CommitOutcome.Refused || outcome instanceof CommitOutcome.NoMemory;
    }

    private RowRules rulesOf(WriteRequest request) {
        RowRules tableRules = rules.get(request.table());
        if (tableRules == null) {
            throw new IllegalArgumentException(
                    "Expected a table of " + rules.keySet() + ", but got " + request.table());
        }
        return tableRules;
    }

    private RowRules followingRules(String source, WriteRequest part) {
        RowRules tableRules = rulesOf(part);
        if (tableRules
                .table()
                .source()
                .filter(from -> from.name().equals(source))
                .isEmpty()) {
            throw new IllegalStateException(
                    "Expected table " + part.table() + " to follow source " + source + ", which it does no longer");
        }
        return tableRules;
    }

    private static List<CommitOutcome> abandoned(List<CommitOutcome> outcomes) {
        return outcomes.stream()
                .map(outcome -> outcome.applied() ? new CommitOutcome.Abandoned() : outcome)
                .toList();
    }

    private void keep(Attempt attempt) {
        changed.putAll(attempt.ownChanged);
        changes.addAll(attempt.ownChanges);
        attempt.ownChanges.forEach(change -> bytes += change.bytes());
        delta.addAll(attempt.ownDelta);
        last = attempt.version;
    }

    /** Everything planned so far. */
    FactBatch batch() {
        return new FactBatch(changes, new CommitPosition(last, commitTime), Map.of(), sources);
    }

    /** What the batch does to digests. */
    DigestDelta delta() {
        return delta;
    }

    /** Roughly what the changes of the batch occupy. */
    long bytes() {
        return bytes;
    }

    /** One request, over the group so far; kept or thrown away as a whole. */
    private final class Attempt {
        private final RowRules tableRules;
        private final Map<RowId, Optional<StoredRow>> ownChanged = new HashMap<>();
        private final List<CommittedChange> ownChanges = new ArrayList<>();
        private final DigestDelta ownDelta = new DigestDelta();
        private final boolean checked;
        private final boolean lenient;
        private RowVersion version;

        /**
         * An attempt.
         *
         * @param lenient whether rows are taken that an index cannot hold
         */
        Attempt(RowRules tableRules, WriteRequest request, boolean lenient, RowVersion version) {
            this.tableRules = tableRules;
            this.checked = request.checkedBy().filter(by -> by == tableRules).isPresent();
            this.lenient = lenient;
            this.version = version;
        }

        CommitOutcome outcomeOf(WriteCommand command) {
            StoredRow current = current(command.key());
            if (!command.precondition().holdsFor(current)) {
                return new CommitOutcome.PreconditionFailed(
                        command.precondition().expected(),
                        Optional.ofNullable(current).map(StoredRow::version));
            }
            if (command instanceof WriteCommand.Put put) {
                return put(put, current);
            }
            if (command instanceof WriteCommand.Touch restate) {
                return current == null
                        ? deleted(restate.key(), null, restate.also())
                        : written(
                                new WriteCommand.Put(restate.key(), current.row(), Precondition.NONE),
                                current,
                                restate.also());
            }
            if (command instanceof WriteCommand.Fill fill) {
                return current == null
                        ? nothingToKeep("a row to keep " + fill.kept() + " of, but there is none")
                        : withTree(current.row(), old -> filled(fill, old, current));
            }
            if (current == null) {
                return new CommitOutcome.NotFound();
            }
            if (command instanceof WriteCommand.Patch patch) {
                return withTree(current.row(), old -> merged(patch, old, current));
            }
            if (command instanceof WriteCommand.Delete delete) {
                return deleted(delete.key(), current, List.of());
            }
            throw new AssertionError("unknown kind of command: " + command);
        }

        /** An index that was defined after the row was checked must be able to hold it too. */
        private CommitOutcome put(WriteCommand.Put command, @Nullable StoredRow current) {
            return checked
                    ? written(command, current, List.of())
                    : withTree(command.row(), row -> accepted(command.key(), row, current));
        }

        /** Roughly what the last change occupies. */
        long lastBytes() {
            return ownChanges.isEmpty()
                    ? 0
                    : ownChanges.get(ownChanges.size() - 1).bytes();
        }

        private CommitOutcome withTree(RowDocument row, Function<ObjectNode, CommitOutcome> work) {
            Optional<MemoryBudget.Reservation> tree = memory.tryReserve(TreeSize.mostBytes(row.bytes()));
            try {
                return tree.isPresent() ? work.apply(tree(row)) : new CommitOutcome.NoMemory();
            } catch (UnreadableRowException e) {
                return new CommitOutcome.Refused(
                        RowRefusedException.Kind.INVALID,
                        "expected a row that can be read, to be replaced or deleted otherwise, but it is stored in a"
                                + " form that cannot: " + e.getMessage());
            } finally {
                tree.ifPresent(MemoryBudget.Reservation::close);
            }
        }

        /** A separate tree for one command: a tree that is kept takes many times the memory of the row. */
        private ObjectNode tree(RowDocument row) {
            return RowDocument.stored(row.bytes()).tree();
        }

        private CommitOutcome filled(WriteCommand.Fill command, ObjectNode old, StoredRow current) {
            ObjectNode row = command.row().deepCopy();
            for (String name : command.kept()) {
                if (!old.has(name)) {
                    return nothingToKeep(name + " in the row that is there, to keep it, but it is absent");
                }
                row.set(name, old.get(name));
            }
            return withinTokens(row, "filled").orElseGet(() -> accepted(command.key(), row, current));
        }

        private CommitOutcome nothingToKeep(String expected) {
            return new CommitOutcome.Refused(RowRefusedException.Kind.NOTHING_TO_KEEP, "expected " + expected);
        }

        private CommitOutcome merged(WriteCommand.Patch command, ObjectNode old, StoredRow current) {
            ObjectNode patched = MergePatch.apply(old, command.patch());
            return withinTokens(patched, "patched").orElseGet(() -> accepted(command.key(), patched, current));
        }

        private static Optional<CommitOutcome> withinTokens(ObjectNode row, String made) {
            int tokens = RowJson.tokens(row);
            return tokens <= RowJson.MAX_TOKENS
                    ? Optional.empty()
                    : Optional.of(new CommitOutcome.Refused(
                            RowRefusedException.Kind.TOO_MANY_VALUES,
                            "expected a " + made + " row of at most " + RowJson.MAX_TOKENS
                                    + " values, names and brackets, but it has " + tokens));
        }

        private CommitOutcome accepted(KeyBytes key, ObjectNode row, @Nullable StoredRow current) {
            try {
                WriteCommand.Put put = lenient ? tableRules.admit(key, row) : tableRules.accept(key, row);
                return written(put, current, List.of());
            } catch (RowRefusedException e) {
                return new CommitOutcome.Refused(e.kind(), e.getMessage());
            }
        }

        private CommitOutcome written(WriteCommand.Put put, @Nullable StoredRow before, List<Placement> also) {
            advance();
            boolean created = before == null;
            UpsertKind kind = created ? UpsertKind.CREATE : UpsertKind.UPDATE;
            CommittedChange change = record(
                    new ChangeEvent.Upserted(put.key(), version, commitTime, kind, put.row()),
                    put.terms(),
                    before,
                    also);
            ownChanged.put(id(put.key()), Optional.of(new StoredRow(version, commitTime, put.row(), change.digests())));
            return new CommitOutcome.Written(version, change.partition(), created);
        }

        private CommitOutcome deleted(KeyBytes key, @Nullable StoredRow before, List<Placement> also) {
            advance();
            CommittedChange change = record(new ChangeEvent.Deleted(key, version, commitTime), Map.of(), before, also);
            ownChanged.put(id(key), Optional.empty());
            return new CommitOutcome.Deleted(version, change.partition());
        }

        private void advance() {
            version = new RowVersion(version.epoch(), version.sequence() + 1);
        }

        private CommittedChange record(
                ChangeEvent event, Map<Long, EntryTerms> terms, @Nullable StoredRow before, List<Placement> also) {
            int partition = tableRules.table().partitionOf(event.key());
            List<Placement> placements = tableRules.placements(event, before, terms, also);
            CommittedChange plain =
                    new CommittedChange(tableRules.table().name(), partition, event, Map.of(), placements);
            CommittedChange change = counter.count(plain, terms, before, ownDelta);
            ownChanges.add(change);
            return change;
        }

        private @Nullable StoredRow current(KeyBytes key) {
            RowId id = id(key);
            Optional<StoredRow> planned = ownChanged.containsKey(id) ? ownChanged.get(id) : changed.get(id);
            return planned == null ? rows.current(id.table(), key) : planned.orElse(null);
        }

        private RowId id(KeyBytes key) {
            return new RowId(Objects.requireNonNull(tableRules).table().name(), key);
        }
    }
}
