package dev.tidemark.deploy.kills;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.tidemark.deploy.drill.machine.MachineException;

/** How a process that writes to a store comes to its end. */
interface Ending extends AutoCloseable {
    /** Where the stores are to be. */
    Path directory();

    /**
     * Ends the process after a time.
     *
     * @return all it said
     */
    List<String> end(ProcessUnderTest process, Duration after)
            throws IOException, InterruptedException, MachineException;

    /**
     * What of a store outlives this end.
     *
     * @param acknowledged the newest batch that the process said is safe
     * @return the newest batch that must be there
     */
    long outlives(TrialKind kind, long acknowledged);

    @Override
    default void close() {
        // Most have nothing to give back.
    }
}
