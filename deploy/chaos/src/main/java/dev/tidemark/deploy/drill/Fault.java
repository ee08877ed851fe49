package dev.tidemark.deploy.drill;

import java.time.Instant;
import java.util.function.Consumer;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Agent;

/**
 * Something that is done to a stack for a while. For the thread of the drill. What a broker refuses is thrown: a fault
 * that cannot begin is left out, and one that cannot end is asked again.
 */
@FunctionalInterface
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
    default boolean end(Instant now) throws InterruptedException {
        return true;
    }

    /** Whether it came to what it is about; asked once it has ended. */
    default boolean hasHit() {
        return true;
    }

    /** The end of a fault, as {@link #end(Instant)}. */
    interface Ending {
        boolean end(Instant now) throws InterruptedException;
    }

    /** A fault that needs no more than a beginning and an end. */
    static Fault lasting(Fault beginning, Ending ending) {
        return new Fault() {
            @Override
            public boolean begin(Role role, Instant now) throws InterruptedException {
                return beginning.begin(role, now);
            }

            @Override
            public boolean end(Instant now) throws InterruptedException {
                return ending.end(now);
            }
        };
    }

    /** A fault that is over as soon as it was done. */
    static Fault once(Agent.Step deed) {
        return (role, now) -> {
            deed.run();
            return true;
        };
    }

    /** A fault whose beginning and end always succeed. */
    static Fault between(Consumer<Role> beginning, Runnable ending) {
        Fault begin = (role, now) -> {
            beginning.accept(role);
            return true;
        };
        return lasting(begin, now -> {
            ending.run();
            return true;
        });
    }
}
