package dev.tidemark.http;

import dev.tidemark.memory.MemoryBudget.Reservation;

/**
 * The memory that one request holds. By one thread at a time.
 *
 * @param body for what it sends
 * @param built for what is built of the answer
 * @param small for an answer that is small
 */
record CallMemory(Reservation body, Reservation built, Reservation small) {
    /** Holds exactly what an answer needs that is about to be sent; false when there is too little left. */
    boolean settle(int bytes) {
        boolean isSmall = bytes <= HttpMemory.SMALL_BYTES;
        built.shrinkTo(isSmall ? 0 : bytes);
        Reservation answer = isSmall ? small : built;
        return answer.bytes() >= bytes || answer.tryGrow(bytes - answer.bytes());
    }

    /** Gives everything back. */
    void close() {
        body.close();
        built.close();
        small.close();
    }
}
