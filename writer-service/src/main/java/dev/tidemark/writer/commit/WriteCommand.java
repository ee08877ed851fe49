package dev.tidemark.writer.commit;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.digest.EntryTerms;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;

/** One change that is asked for. */
public sealed interface WriteCommand {
    /** Encoded primary key of the row. */
    KeyBytes key();

    /** What must hold for the change to happen. */
    default Precondition precondition() {
        return Precondition.NONE;
    }

    /** Bytes of heap that what was derived of its row takes, about. */
    default long termBytes() {
        return 0;
    }

    /**
     * Insert or replace. A row equal to the present one still is a change, with a new version.
     *
     * @param row the new row
     * @param terms what {@link RowRules}, which accepted the row, derived of it, by generation; empty where the row is
     *     to be derived when it is committed
     */
    record Put(KeyBytes key, RowDocument row, Map<Long, EntryTerms> terms, Precondition precondition)
            implements WriteCommand {
        public Put {
            terms = Map.copyOf(terms);
        }

        /** A row of which nothing is derived yet. */
        public Put(KeyBytes key, RowDocument row, Precondition precondition) {
            this(key, row, Map.of(), precondition);
        }

        /** The same, under a precondition. */
        public Put under(Precondition condition) {
            return new Put(key, row, terms, condition);
        }

        @Override
        public long termBytes() {
            return terms.values().stream().mapToLong(EntryTerms::bytes).sum();
        }
    }

    /**
     * Change parts of a row that is there.
     *
     * @param patch JSON merge patch, RFC 7396; the merged row must pass {@link RowRules} too
     */
    record Patch(KeyBytes key, ObjectNode patch, Precondition precondition) implements WriteCommand {}

    /**
     * Insert or replace, and keep some members of the row that is there: the source has not sent them, because they
     * are as they were.
     *
     * @param row the new row without them
     * @param kept their names, at least one
     */
    record Fill(KeyBytes key, ObjectNode row, List<String> kept) implements WriteCommand {
        public Fill {
            kept = List.copyOf(kept);
        }
    }

    /** Remove a row that is there. */
    record Delete(KeyBytes key, Precondition precondition) implements WriteCommand {}

    /**
     * Commit a row once more as it is, or its absence, with a new version: a topic may hold something else of it that
     * the fact table does not know. The writer itself asks for that.
     *
     * @param also partitions of derived tables that learn of it whether they hold the row or not
     */
    record Touch(KeyBytes key, List<Placement> also) implements WriteCommand {
        public Touch {
            also = List.copyOf(also);
        }
    }
}
