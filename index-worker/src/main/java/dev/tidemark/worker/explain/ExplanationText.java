package dev.tidemark.worker.explain;

import java.util.Optional;

import dev.tidemark.index.Absence;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowDocument;

/**
 * An explanation in words.
 *
 * @param index the index that it is about
 */
record ExplanationText(IndexDefinition index, Explanation explanation) {

    String sentence() {
        RowStatus outcome = explanation.outcome();
        String sentence = outcome instanceof RowStatus.NotApplied waiting ? waiting(waiting) : settled(outcome);
        boolean alone = explanation.asked() instanceof FactLookup.NoAnswer
                && !(outcome instanceof RowStatus.NotKnown || outcome instanceof RowStatus.NotHeld);
        return alone
                ? sentence + "; whether a newer change waits is not known, because the writer cannot be asked"
                : sentence;
    }

    private String settled(RowStatus outcome) {
        if (outcome instanceof RowStatus.InIndex in) {
            return held(in.place());
        }
        if (outcome instanceof RowStatus.LeftOut left) {
            return leftOut(left.absence(), currentRow());
        }
        if (outcome instanceof RowStatus.Quarantined quarantined) {
            return place(quarantined.place());
        }
        if (outcome instanceof RowStatus.Deleted deleted) {
            return "the row was deleted by version " + deleted.version();
        }
        if (outcome instanceof RowStatus.NoSuchRow) {
            return "there is no such row, neither in the fact table nor here";
        }
        if (outcome instanceof RowStatus.NotKnown) {
            return "this worker knows no such row; whether there is one that it has not heard of is not known, because "
                    + writer();
        }
        if (outcome instanceof RowStatus.NotInIndex) {
            return "the index has no entry of such a row; whether there is one, and why it has no entry, is shown to tokens"
                    + " with the scope facts:" + index.table();
        }
        if (outcome instanceof RowStatus.NotHeld absent) {
            return absent.reason();
        }
        if (outcome instanceof RowStatus.Inconsistent broken && broken.foreign().isPresent()) {
            return "the shard holds the row in version " + broken.foreign().get()
                    + ", which the writer never gave; the fact table has version " + broken.committed()
                    + "; the index should be repaired";
        }
        if (outcome instanceof RowStatus.Inconsistent broken) {
            return "the shard says that it is complete past version " + broken.committed()
                    + " of the fact table, but does not have it; the shard should be built anew";
        }
        throw new AssertionError("unknown kind of outcome: " + outcome);
    }

    private String waiting(RowStatus.NotApplied waiting) {
        String change = waiting.waiting()
                .map(version -> "version " + version + " is committed and not applied here yet")
                .orElse("the row is deleted in the fact table, and that is not applied here yet");
        String before = waiting.ahead().changesBefore().isPresent()
                ? ", with at most " + changes(waiting.ahead().changesBefore().getAsLong()) + " before it"
                : "";
        return change + before + "; until then " + place(waiting.now()) + "; then " + then(waiting.then());
    }

    private String then(RowPosition then) {
        if (then instanceof RowPosition.Held held) {
            return "the index holds it with " + entries(held);
        }
        return then instanceof RowPosition.LeftOut left ? leftOut(left.absence(), currentRow()) : "it is gone";
    }

    private String place(RowPosition place) {
        if (place instanceof RowPosition.Held held) {
            return held(held);
        }
        if (place instanceof RowPosition.LeftOut left) {
            return leftOut(left.absence(), Optional.empty());
        }
        if (place instanceof RowPosition.Quarantined quarantined) {
            return "its entries are out of the index, because a record of it is in quarantine: " + quarantined.reason();
        }
        return place instanceof RowPosition.Deleted ? "it is deleted" : "nothing is known of it";
    }

    private static String held(RowPosition.Held held) {
        return "the index holds the row with " + entries(held);
    }

    private String leftOut(Optional<Absence> absence, Optional<RowDocument> row) {
        return "the row has no entry: "
                + absence.map(why -> row.map(current -> ReasonText.of(why, index, current.tree()))
                                .orElseGet(() -> ReasonText.of(why, index)))
                        .orElse("why was not noted when it was applied");
    }

    /** The fact table's row, where it is the one that the reason is about. */
    private Optional<RowDocument> currentRow() {
        if (!(explanation.asked() instanceof FactLookup.Found found)) {
            return Optional.empty();
        }
        boolean same = explanation.outcome() instanceof RowStatus.NotApplied
                || explanation
                        .sight()
                        .flatMap(RowSnapshot::row)
                        .filter(row -> row.version().equals(found.row().version()))
                        .isPresent();
        return same ? Optional.of(found.row().row()) : Optional.empty();
    }

    private String writer() {
        return explanation.asked() instanceof FactLookup.NoAnswer none ? none.reason() : "nobody asked";
    }

    private static String changes(long count) {
        return count == 1 ? "1 change" : count + " changes";
    }

    private static String entries(RowPosition.Held held) {
        int count = held.keys().size();
        return count == 1 ? "1 entry" : count + " entries";
    }
}
