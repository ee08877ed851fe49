package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/**
 * Decides what one group of requests does: from the current rows and the commands to outcomes and one batch. No clock, no
 * disk. Used for one group by one thread; each request sees what the ones before it did.
 */
public final class GroupPlanner {
    private final Rows rows;
    private final Map<String, RowRules> rules;
    private final Instant commitTime;
    private final Map<RowId, Optional<StoredRow>> changed = new HashMap<>();
    private final List<RowStep> steps = new ArrayList<>();
    private RowVersion last;

    /** The rows as they were before the group. */
    @FunctionalInterface
    public interface Rows {
        @Nullable
        StoredRow find(String table, KeyBytes key);
    }

    private record RowId(String table, KeyBytes key) {}

    /**
     * A planner of one group.
     *
     * @param rules of every table that a request may name
     * @param last version of the last change before the group
     * @param commitTime later than every earlier commit and promise
     */
    public GroupPlanner(Rows rows, Map<String, RowRules> rules, RowVersion last, Instant commitTime) {
        this.rows = rows;
        this.rules = rules;
        this.last = last;
        this.commitTime = commitTime;
    }

    /** Plans a request; the outcomes of its commands, in their order. They come true with the commit of the batch. */
    public List<CommitOutcome> plan(WriteRequest request) {
        RowRules tableRules = rules.get(request.table());
        if (tableRules == null) {
            throw new IllegalArgumentException(
                    "Expected a table of " + rules.keySet() + ", but got " + request.table());
        }
        Attempt attempt = new Attempt(tableRules, last);
        List<CommitOutcome> outcomes =
                request.commands().stream().map(attempt::outcomeOf).toList();
        if (request.atomic() && !outcomes.stream().allMatch(CommitOutcome::applied)) {
            return outcomes.stream()
                    .map(outcome -> outcome.applied() ? new CommitOutcome.Abandoned() : outcome)
                    .toList();
        }
        changed.putAll(attempt.ownChanged);
        steps.addAll(attempt.ownSteps);
        last = attempt.version;
        return outcomes;
    }

    /** Everything planned so far. */
    public FactBatch batch() {
        return new FactBatch(steps.stream().map(RowStep::change).toList(), new CommitPoint(last, commitTime));
    }

    /** The changes of the batch, each with the row that it replaces. */
    List<RowStep> steps() {
        return Collections.unmodifiableList(steps);
    }

    /** One request, over the group so far; kept or thrown away as a whole. */
    private final class Attempt {
        private final RowRules tableRules;
        private final Map<RowId, Optional<StoredRow>> ownChanged = new HashMap<>();
        private final List<RowStep> ownSteps = new ArrayList<>();
        private RowVersion version;

        Attempt(RowRules tableRules, RowVersion version) {
            this.tableRules = tableRules;
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
                return written(put.key(), put.row(), current);
            }
            if (command instanceof WriteCommand.Restate restate) {
                return current == null ? deleted(restate.key(), null) : written(restate.key(), current.row(), current);
            }
            if (current == null) {
                return new CommitOutcome.NotFound();
            }
            if (command instanceof WriteCommand.Patch patch) {
                return patched(patch, current);
            }
            if (command instanceof WriteCommand.Delete delete) {
                return deleted(delete.key(), current);
            }
            throw new AssertionError("unknown kind of command: " + command);
        }

        private CommitOutcome patched(WriteCommand.Patch command, StoredRow current) {
            try {
                RowDocument merged = tableRules.accept(
                        command.key(), MergePatch.apply(current.row().tree(), command.patch()));
                return written(command.key(), merged, current);
            } catch (RowRefusedException e) {
                return new CommitOutcome.Refused(e.kind(), e.getMessage());
            }
        }

        private CommitOutcome written(KeyBytes key, RowDocument row, @Nullable StoredRow before) {
            advance();
            boolean created = before == null;
            UpsertKind kind = created ? UpsertKind.CREATE : UpsertKind.UPDATE;
            int partition = record(new ChangeEvent.Upserted(key, version, commitTime, kind, row), before);
            ownChanged.put(id(key), Optional.of(new StoredRow(version, commitTime, row)));
            return new CommitOutcome.Written(version, partition, created);
        }

        private CommitOutcome deleted(KeyBytes key, @Nullable StoredRow before) {
            advance();
            int partition = record(new ChangeEvent.Deleted(key, version, commitTime), before);
            ownChanged.put(id(key), Optional.empty());
            return new CommitOutcome.Deleted(version, partition);
        }

        private void advance() {
            version = new RowVersion(version.epoch(), version.sequence() + 1);
        }

        private int record(ChangeEvent event, @Nullable StoredRow before) {
            int partition = tableRules.table().partitionOf(event.key());
            CommittedChange change = new CommittedChange(tableRules.table().name(), partition, event);
            ownSteps.add(new RowStep(change, Optional.ofNullable(before)));
            return partition;
        }

        private @Nullable StoredRow current(KeyBytes key) {
            RowId id = id(key);
            Optional<StoredRow> planned = ownChanged.containsKey(id) ? ownChanged.get(id) : changed.get(id);
            return planned == null ? rows.find(id.table(), key) : planned.orElse(null);
        }

        private RowId id(KeyBytes key) {
            return new RowId(Objects.requireNonNull(tableRules).table().name(), key);
        }
    }
}
