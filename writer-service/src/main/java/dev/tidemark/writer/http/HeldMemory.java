package dev.tidemark.writer.http;

import dev.tidemark.http.Call;

/** Reserves the memory of a load that grows, in steps: a row is short, and there are many. */
final class HeldMemory {
    /** Most bytes that are reserved beyond what is held. */
    static final long STEP_BYTES = 64 * 1024;

    private final Call call;
    private long reserved;

    HeldMemory(Call call) {
        this.call = call;
    }

    /**
     * Reserves memory for what is held now.
     *
     * @throws dev.tidemark.http.ProblemException 503 when there is too little left
     */
    void need(long bytes) {
        if (bytes > reserved) {
            long step = (bytes - reserved + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
            call.reserve(step);
            reserved += step;
        } else if (reserved - bytes > 2 * STEP_BYTES) {
            reserved = bytes + STEP_BYTES;
            call.shrinkReservedTo(reserved);
        }
    }
}
