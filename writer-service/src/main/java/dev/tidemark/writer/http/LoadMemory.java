package dev.tidemark.writer.http;

import dev.tidemark.http.Call;
import dev.tidemark.http.ProblemException;

/** The memory that one load holds, reserved in steps: a line is short, and there are many. */
final class LoadMemory {
    private static final long STEP_BYTES = 64 * 1024;

    private final Call call;
    private long reserved;

    LoadMemory(Call call) {
        this.call = call;
    }

    /**
     * Reserves memory, so that this number of bytes may be held.
     *
     * @throws ProblemException 503 when there is too little left
     */
    void need(long bytes) {
        if (bytes > reserved) {
            long more = (bytes - reserved + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
            call.reserve(more);
            reserved += more;
        } else if (reserved - bytes > 2 * STEP_BYTES) {
            reserved = bytes + STEP_BYTES;
            call.shrinkReservedTo(reserved);
        }
    }
}
