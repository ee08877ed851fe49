package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/**
 * Whether what was committed is what clients asked for, and what they were answered is what was committed. Each put has
 * a mark in its row, by which an atomic request is known that was never answered.
 */
final class WritesAsAsked {
    private static final String MARK = "asked";

    private final Histories histories;
    private final List<Set<Integer>> atomic = new ArrayList<>();
    private final Set<Integer> committed = new HashSet<>();
    private int marks;
    private Optional<String> violation = Optional.empty();

    /** A request that was handed in when commit order had come to a version. */
    record Asked(WriteRequest request, RowVersion since) {}

    /** What may have been true of a row when a command was carried out. */
    private record Moments(History history, KeyBytes key, RowVersion from, RowVersion to) {
        List<Optional<ChangeEvent>> states() {
            return history.states(key, from, to);
        }
    }

    WritesAsAsked(Histories histories) {
        this.histories = histories;
    }

    /** What was wrong first; empty as long as all is well. */
    Optional<String> violation() {
        atomic.stream()
                .filter(one -> one.stream().anyMatch(committed::contains) && !committed.containsAll(one))
                .findFirst()
                .ifPresent(one -> wrong("of an atomic request, only some puts are committed, of " + one));
        return violation;
    }

    /** The row, with a mark that no other one has. */
    ObjectNode marked(ObjectNode row) {
        marks++;
        return row.put(MARK, marks);
    }

    Asked handedIn(WriteRequest request) {
        Set<Integer> puts = new HashSet<>();
        for (WriteCommand command : request.commands()) {
            if (command instanceof WriteCommand.Put put) {
                puts.add(mark(put.row().tree()));
            }
        }
        if (request.atomic() && puts.size() > 1) {
            atomic.add(puts);
        }
        return new Asked(request, histories.last());
    }

    void committed(CommittedChange change) {
        if (change.event() instanceof ChangeEvent.Upserted row) {
            committed.add(mark(row.row().tree()));
        }
    }

    private static int mark(ObjectNode row) {
        return row.path(MARK).asInt();
    }

    /** A request was carried out. */
    void answered(Asked asked, List<CommitOutcome> outcomes) {
        WriteRequest request = asked.request();
        if (outcomes.size() != request.commands().size()) {
            wrong("of " + request.commands().size() + " commands there are " + outcomes.size() + " outcomes");
            return;
        }
        long applied = outcomes.stream().filter(CommitOutcome::applied).count();
        if (request.atomic() && applied > 0 && applied < outcomes.size()) {
            wrong("an atomic request has outcomes " + outcomes);
        }
        if (histories.of(request.table()).wentBackSince(asked.since())) {
            // What was true while it was carried out is not known any more.
            return;
        }
        RowVersion from = asked.since();
        for (int i = 0; i < outcomes.size(); i++) {
            WriteCommand command = request.commands().get(i);
            // An atomic request of which nothing was done saw what its own commands would have done.
            if (!request.atomic() || applied > 0) {
                Moments moments =
                        new Moments(histories.of(request.table()), command.key(), from, nextVersion(outcomes, i));
                check(command, outcomes.get(i), moments);
            }
            from = version(outcomes.get(i)).orElse(from);
        }
    }

    /** What comes after a command in commit order, at the latest. */
    private RowVersion nextVersion(List<CommitOutcome> outcomes, int after) {
        return outcomes.subList(after, outcomes.size()).stream()
                .flatMap(outcome -> version(outcome).stream())
                .findFirst()
                .map(next -> new RowVersion(next.epoch(), next.sequence() - 1))
                .orElse(histories.last());
    }

    private static Optional<RowVersion> version(CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Written written) {
            return Optional.of(written.version());
        }
        return outcome instanceof CommitOutcome.Deleted deleted ? Optional.of(deleted.version()) : Optional.empty();
    }

    private void check(WriteCommand command, CommitOutcome outcome, Moments moments) {
        Optional<RowVersion> version = version(outcome);
        boolean right;
        if (version.isPresent()) {
            right = isDone(command, outcome, version.get(), moments.history());
        } else if (outcome instanceof CommitOutcome.NotFound) {
            right = !(command instanceof WriteCommand.Put)
                    && moments.states().stream().anyMatch(state -> row(state) == null);
        } else if (outcome instanceof CommitOutcome.PreconditionFailed failed) {
            right = moments.states().stream()
                    .map(WritesAsAsked::row)
                    .anyMatch(row -> !command.precondition().holdsFor(row)
                            && failed.current().equals(Optional.ofNullable(row).map(StoredRow::version)));
        } else {
            right = true;
        }
        if (!right) {
            wrong(command + " was answered with " + outcome + ", where the row was " + moments.states());
        }
    }

    /** Whether the change of that version is what was asked for, of the row as it was. */
    private static boolean isDone(WriteCommand command, CommitOutcome outcome, RowVersion version, History history) {
        Optional<ChangeEvent> done = history.at(command.key(), version);
        StoredRow before = row(history.standingBefore(command.key(), version));
        if (done.isEmpty() || !command.precondition().holdsFor(before)) {
            return false;
        }
        if (command instanceof WriteCommand.Delete) {
            return done.get() instanceof ChangeEvent.Deleted
                    && outcome instanceof CommitOutcome.Deleted
                    && before != null;
        }
        return done.get() instanceof ChangeEvent.Upserted row
                && outcome instanceof CommitOutcome.Written written
                && written.created() == (before == null)
                && row.row().tree().equals(wanted(command, before));
    }

    /** The row that a command asks for; null where it cannot be done. */
    private static @Nullable ObjectNode wanted(WriteCommand command, @Nullable StoredRow before) {
        if (command instanceof WriteCommand.Put put) {
            return put.row().tree();
        }
        if (command instanceof WriteCommand.Patch patch && before != null) {
            ObjectNode merged = before.row().tree().deepCopy();
            for (Map.Entry<String, JsonNode> change : patch.patch().properties()) {
                merged.set(change.getKey(), change.getValue());
            }
            return merged;
        }
        return null;
    }

    private static @Nullable StoredRow row(Optional<ChangeEvent> state) {
        return state.isPresent() && state.get() instanceof ChangeEvent.Upserted row
                ? new StoredRow(row.version(), row.committedAt(), row.row())
                : null;
    }

    private void wrong(String what) {
        violation = violation.or(() -> Optional.of(what));
    }
}
