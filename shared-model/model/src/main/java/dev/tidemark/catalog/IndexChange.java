package dev.tidemark.catalog;

import dev.tidemark.index.IndexDefinition;

/** One difference between the definitions in force and the wanted ones. */
public sealed interface IndexChange {

    /** The index as it will be, or, for one that will not be, as it is. */
    IndexDefinition index();

    /** What is done, in one word: {@code create}, {@code change}, {@code move} or {@code drop}. */
    String action();

    /** An index that is not there yet. */
    record Create(IndexDefinition index) implements IndexChange {
        @Override
        public String action() {
            return "create";
        }
    }

    /**
     * An index that means something else than before.
     *
     * @param from what it meant
     * @param index what it is to mean
     */
    record Change(IndexDefinition from, IndexDefinition index) implements IndexChange {
        @Override
        public String action() {
            return "change";
        }
    }

    /**
     * An index whose table grows or shrinks, so that it is built in other partitions.
     *
     * @param from the number of partitions that the index has
     * @param to the number that it will have
     */
    record Move(IndexDefinition index, int from, int to) implements IndexChange {
        @Override
        public String action() {
            return "move";
        }
    }

    /** An index that is wanted no longer. */
    record Drop(IndexDefinition index) implements IndexChange {
        @Override
        public String action() {
            return "drop";
        }
    }
}
