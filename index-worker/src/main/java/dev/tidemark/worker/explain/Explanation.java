package dev.tidemark.worker.explain;

import java.util.Optional;

import dev.tidemark.index.Absence;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.IndexNames;

/**
 * Why a row is, or is not, in an index.
 *
 * @param index the index of the request
 * @param key the row's encoded primary key
 * @param outcome the answer
 * @param sight the row in the shard; empty when this process does not hold the shard
 * @param asked the answer of the writer
 */
public record Explanation(
        IndexNames.Found index, KeyBytes key, RowStatus outcome, Optional<RowSnapshot> sight, FactLookup asked) {

    /** The answer in one sentence. */
    public String sentence() {
        String sentence = outcome.kind() == Kind.NOT_APPLIED ? waiting() : settled();
        boolean alone = asked instanceof FactLookup.NoAnswer
                && outcome.kind() != Kind.NOT_KNOWN
                && outcome.kind() != Kind.NOT_HELD;
        return alone
                ? sentence + "; whether a newer change waits is not known, because the writer does not answer"
                : sentence;
    }

    private String settled() {
        return switch (outcome.kind()) {
            case DELETED -> "the row was deleted by version " + outcome.held().orElse(RowVersion.NONE);
            case NO_SUCH_ROW -> "there is no such row, neither in the fact table nor here";
            case NOT_KNOWN ->
                "this worker knows no such row; whether the fact table has one is not known, because " + writer();
            case NOT_IN_INDEX ->
                "the index has no entry of such a row; whether the row exists, and why it has no entry, is shown to"
                        + " tokens with the scope facts:" + index.definition().table();
            case INCONSISTENT -> inconsistent();
            default -> place(outcome.now(), currentRow());
        };
    }

    private String inconsistent() {
        RowVersion committed = outcome.committed().orElse(RowVersion.NONE);
        return outcome.held()
                .map(held -> "the shard holds the row in version " + held + ", which the writer never gave; the fact"
                        + " table has version " + committed + "; the index should be repaired")
                .orElse("the shard says that it is complete past version " + committed
                        + " of the fact table, but does not have it; the shard should be rebuilt");
    }

    private String waiting() {
        String change = outcome.committed()
                .map(version -> "version " + version + " is committed and not applied here yet")
                .orElse("the row is deleted in the fact table, and that is not applied here yet");
        String before = outcome.ahead().changesBefore().isPresent()
                ? ", with at most " + changes(outcome.ahead().changesBefore().getAsLong()) + " before it"
                : "";
        return change + before + "; until then " + place(outcome.now(), Optional.empty()) + "; then "
                + then(outcome.then());
    }

    private String then(RowPosition then) {
        if (then instanceof RowPosition.Held held) {
            return "the index holds it with " + entries(held);
        }
        return then instanceof RowPosition.LeftOut ? place(then, currentRow()) : "it is gone";
    }

    /** A position in words, with the row that the reason for it is about. */
    private String place(RowPosition place, Optional<RowDocument> row) {
        if (place instanceof RowPosition.Held held) {
            return "the index holds the row with " + entries(held);
        }
        if (place instanceof RowPosition.LeftOut left) {
            return leftOut(left.absence(), row);
        }
        if (place instanceof RowPosition.Quarantined quarantined) {
            return "its entries are out of the index, because a record of it is in quarantine: " + quarantined.reason();
        }
        if (place instanceof RowPosition.NotHeld elsewhere) {
            return elsewhere.reason();
        }
        return place instanceof RowPosition.Deleted ? "it is deleted" : "nothing is known of it";
    }

    private String leftOut(Optional<Absence> absence, Optional<RowDocument> row) {
        return "the row has no entry: "
                + absence.map(why -> row.map(current -> ReasonText.of(why, index.definition(), current.tree()))
                                .orElseGet(() -> ReasonText.of(why, index.definition())))
                        .orElse("the reason was not recorded when it was applied");
    }

    /** The fact table's row, where it is the one that the reason is about. */
    private Optional<RowDocument> currentRow() {
        if (!(asked instanceof FactLookup.Found found)) {
            return Optional.empty();
        }
        boolean same = outcome.kind() == Kind.NOT_APPLIED
                || sight.flatMap(RowSnapshot::row)
                        .filter(row -> row.version().equals(found.row().version()))
                        .isPresent();
        return same ? Optional.of(found.row().row()) : Optional.empty();
    }

    private String writer() {
        return asked instanceof FactLookup.NoAnswer none ? none.reason() : "the writer was not queried";
    }

    private static String changes(long count) {
        return count == 1 ? "1 change" : count + " changes";
    }

    private static String entries(RowPosition.Held held) {
        int count = held.keys().size();
        return count == 1 ? "1 entry" : count + " entries";
    }
}
