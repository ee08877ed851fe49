package dev.tidemark.deploy.drill.fault;

import java.time.Instant;

import dev.tidemark.deploy.stack.Role;

/** Something that is done to a stack for a while. For the thread of the drill. */
public interface Fault {
    /** Begins, with a process where it is about one; false where it cannot now, and then nothing was begun. */
    boolean begin(Role role, Instant now) throws InterruptedException;

    /** Called all the time while it is under way. */
    default void tick(Instant now) throws InterruptedException {}

    /**
     * Ends, and leaves nothing behind.
     *
     * @return false where it could not, so that it has to be asked again
     */
    default boolean end() throws InterruptedException {
        return true;
    }

    /** Whether it came to what it is about; asked once it has ended. */
    default boolean hasHit() {
        return true;
    }
}
