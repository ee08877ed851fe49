package dev.tidemark.worker.verify;

import java.util.function.BooleanSupplier;

/** How a pass waits for shards to come far enough, and how it leaves the machine to others. */
public interface Pacer {
    /**
     * Waits until the answer is yes, or for as long as is reasonable; whether it is yes.
     *
     * @throws CannotVerifyException when the pass should end
     */
    boolean until(BooleanSupplier condition) throws CannotVerifyException, InterruptedException;

    /**
     * Called for each row and entry by a pass that goes on; rests now and then when the pass should be slower.
     *
     * @throws CannotVerifyException when the pass should end
     */
    void worked() throws CannotVerifyException, InterruptedException;

    /**
     * Rests before the writer is asked again, which is busy.
     *
     * @return whether to ask again; false where that took too long, or where nothing is lost by ending the pass
     * @throws CannotVerifyException when the pass should end
     */
    boolean again() throws CannotVerifyException, InterruptedException;
}
