package dev.tidemark.http;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.memory.MemoryBudget.Reservation;

/** The memory that one request holds: for its body, and for what is built of the answer. By one thread at a time. */
final class CallMemory {
    private final HttpMemory memory;
    private @Nullable Reservation body;
    private @Nullable Reservation built;

    CallMemory(HttpMemory memory) {
        this.memory = memory;
    }

    /** Reserves more for the body. */
    boolean tryGrowBody(long bytes) {
        if (body != null) {
            return body.tryGrow(bytes);
        }
        body = memory.request(bytes).orElse(null);
        return body != null;
    }

    /** Releases memory of the body, and keeps at most the given number of bytes. */
    void shrinkBodyTo(long bytes) {
        if (body != null) {
            body.shrinkTo(bytes);
        }
    }

    /** Gives back what the body needed. */
    void releaseBody() {
        if (body != null) {
            body.close();
            body = null;
        }
    }

    /** Reserves more for what is built. */
    boolean tryReserve(long bytes) {
        if (built != null) {
            return built.tryGrow(bytes);
        }
        built = memory.largeAnswer(bytes).orElse(null);
        return built != null;
    }

    /** Releases memory of what was built, and keeps at most the given number of bytes. */
    void shrinkTo(long bytes) {
        if (built != null) {
            built.shrinkTo(bytes);
        }
    }

    /** Holds exactly what an answer needs that is about to be sent; false when there is too little left. */
    boolean settle(int bytes) {
        if (built != null && bytes > HttpMemory.SMALL_BYTES) {
            long held = built.bytes();
            built.shrinkTo(bytes);
            return held >= bytes || built.tryGrow(bytes - held);
        }
        releaseBuilt();
        Optional<Reservation> answer = memory.answer(bytes);
        built = answer.orElse(null);
        return built != null;
    }

    /** Gives everything back. */
    void close() {
        releaseBody();
        releaseBuilt();
    }

    private void releaseBuilt() {
        if (built != null) {
            built.close();
            built = null;
        }
    }
}
