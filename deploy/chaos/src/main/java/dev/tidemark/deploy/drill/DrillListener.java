package dev.tidemark.deploy.drill;

import java.nio.file.Path;
import java.time.Duration;

/** Hears how a drill goes on; called by its thread. */
public interface DrillListener {
    /** The stack runs, and keeps its data and logs there. */
    void begun(Path directory);

    /**
     * A round is over.
     *
     * @param report all rounds so far
     * @param took this round
     */
    void round(DrillReport report, Duration took);
}
