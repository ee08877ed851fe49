package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.CommitRequest;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.WriteRequest;

/** The side that writes: the processes, and the disk or the database that outlives them. */
interface SimulatedWriter {
    /** The time that a source is given; empty where no process answers. */
    Optional<Instant> commitTime();

    /** Asks for the time, which takes a while; empty where no process answers. */
    Optional<ClockReading> tellTime(Clock local);

    /** Tells the run which states the writer is in. */
    void meet();

    /** What is committed. */
    FactStore facts();

    /** Whether everything committed has been acknowledged by the log; what is left out of a held table was not. */
    boolean isDrained();

    /** Whether topics have not been asked yet whether they hold more than the fact tables, or it is not undone. */
    boolean isUnsettled();

    /** Hands in a request of a client, who knows that nothing happened where it is refused. */
    void submit(WriteRequest request);

    /** Hands in a request; empty where it is refused. */
    Optional<CompletableFuture<List<CommitOutcome>>> submit(String table, CommitRequest request);

    void commit();

    void relay();

    /** The machines did not run since then; the processes on them go on. */
    void wasSuspendedSince(Instant began);

    /** Somebody makes a backup. */
    void backUp();

    /** The fact tables are put back to the backup. */
    void putBack();

    /** A process ends, and is started again. */
    void crash();

    /** Whether a process went on that had been replaced, and may have made a topic that was deleted meanwhile. */
    default boolean hadOneTooMany() {
        return false;
    }

    /** What was committed that must not have been; empty as long as all is well. */
    default Optional<String> violation() {
        return Optional.empty();
    }
}
