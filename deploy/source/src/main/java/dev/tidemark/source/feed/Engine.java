package dev.tidemark.source.feed;

import java.util.List;
import java.util.Set;

/** Reads the stream of a database. */
public interface Engine {
    /**
     * What to read.
     *
     * @param snapshot which tables to read first
     * @param from position to begin after
     * @param columns those of the tables
     * @param tables names in the database
     */
    record Plan(Snapshot snapshot, Position from, Columns columns, List<String> tables) {
        public Plan {
            tables = List.copyOf(tables);
        }
    }

    /** Which tables are read before the stream. */
    sealed interface Snapshot {
        /** None. */
        record None() implements Snapshot {}

        /** All, and a replication slot is created with what is read. */
        record Whole() implements Snapshot {}

        /** Some. The stream goes on where its replication slot is, so that it repeats changes which they have. */
        record Added(Set<String> tables) implements Snapshot {
            public Added {
                tables = Set.copyOf(tables);
            }
        }
    }

    /** Takes events in order, and returns when they may be forgotten. They are made as they are taken, once. */
    @FunctionalInterface
    interface Sink {
        void take(Iterable<SourceEvent> events) throws Exception;
    }

    /**
     * Reads until it fails or is stopped.
     *
     * @throws EngineException when it fails; the cause is what the sink threw, or what the database did
     */
    void run(Plan plan, Sink sink) throws EngineException, InterruptedException;

    /** Ends the run, from another thread. */
    void stop();

    /** The engine failed. */
    final class EngineException extends Exception {
        private static final long serialVersionUID = 1L;

        public EngineException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
