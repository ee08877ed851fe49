package dev.tidemark.deploy.stack;

import java.time.Duration;

/**
 * Hears what happens to the children. Called by the thread that starts the stack, and after that by the supervisor's.
 */
public interface StackListener {

    /** Hears and does nothing. */
    StackListener SILENT = new StackListener() {};

    /** The child serves at that address, that long after it was started. */
    default void up(ChildId child, String address, Duration took) {}

    /**
     * The child ended without a request to end.
     *
     * @param exitCode 128 + n after signal n
     * @param restarting whether it will be started again
     */
    default void died(ChildId child, int exitCode, boolean restarting) {}

    /** The child was started again; it need not be ready yet. */
    default void restarted(ChildId child) {}

    /** The child could not be started again now; that is tried again after a rest. */
    default void notRestarted(ChildId child, String why) {}
}
