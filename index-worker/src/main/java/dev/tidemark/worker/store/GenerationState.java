package dev.tidemark.worker.store;

import java.time.Instant;

/**
 * Where one generation of an index is in its life, in one shard. {@code GenerationTransitions} has what can follow a
 * phase; a generation that is no longer wanted can leave any of them for {@link Dropping}.
 */
public sealed interface GenerationState {
    /** When it began, by this process's clock. */
    Instant since();

    /** Why it began, for people. */
    String cause();

    /** Whether every row of the table is in it, as far as that is known. */
    default boolean isWhole() {
        return this instanceof Verifying || this instanceof Ready || this instanceof Degraded;
    }

    /**
     * The rows from before the generation was added are read from the change topic again.
     *
     * @param copied the first offset that has not been read
     * @param copyEnd where reading ends; what is written from there on was applied to the generation live
     * @param passes how often the end was reached and rows were still lacking
     */
    record Building(long copied, long copyEnd, int passes, Instant since, String cause) implements GenerationState {
        /** The topic was read up to an offset. */
        public Building copiedTo(long offset) {
            return new Building(Math.max(copied, Math.min(offset, copyEnd)), copyEnd, passes, since, cause);
        }

        /** Whether everything has been read. */
        public boolean isCopied() {
            return copied >= copyEnd;
        }
    }

    /**
     * An operator has stopped the building. Live changes are applied all the same.
     *
     * @param building what to go on with
     */
    record Paused(Building building, Instant since, String cause) implements GenerationState {}

    /**
     * Every row is there, and it is being proven that the generation is equal to its table.
     *
     * @param rebuilt whether the rows were not copied, but came as the whole shard was read from the beginning of its
     *     topic
     */
    record Verifying(boolean rebuilt, Instant since, String cause) implements GenerationState {}

    /** Proven equal to its table, and kept so since. */
    record Ready(Instant since, String cause) implements GenerationState {}

    /**
     * Rows are wrong or lacking.
     *
     * @param refusing whether the index cannot hold them, rather than that they were found to differ
     */
    record Degraded(boolean refusing, Instant since, String cause) implements GenerationState {}

    /**
     * The whole shard is read from the beginning of its topic. Until it has been, the generation cannot answer from it.
     */
    record Rebuilding(Instant since, String cause) implements GenerationState {}

    /** No longer wanted; gone a moment later. */
    record Dropping(Instant since, String cause) implements GenerationState {}
}
