package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.memory.MemoryBudget.Reservation;

/**
 * The memory for the sums of one comparison, all of which are held at a time. Each gets the same share; where that is
 * too little for as many buckets as its rows should have, it has fewer, and more rows are collected where something
 * differs.
 */
final class DigestMemory implements AutoCloseable {
    /** The others are for rows and entries that are looked at. */
    private static final int PART_OF_MEMORY = 4;

    private final MemoryBudget.Part memory;
    private final long share;
    private final List<Reservation> held = new ArrayList<>();

    /**
     * Room of which nothing is taken.
     *
     * @param sums how many there will be
     */
    DigestMemory(MemoryBudget.Part memory, int sums) {
        this.memory = memory;
        this.share = memory.limit() / PART_OF_MEMORY / Math.max(1, sums);
    }

    /**
     * Returns buckets for about this number of rows, or fewer buckets where memory is short.
     *
     * @throws CannotVerifyException when there is no memory even for the fewest
     */
    DigestBuckets buckets(long rows) throws CannotVerifyException {
        for (int bits = DigestBuckets.bits(rows); bits >= DigestBuckets.FEWEST_BITS; bits--) {
            long bytes = DigestBuckets.bytes(bits);
            boolean fits = bits == DigestBuckets.FEWEST_BITS || bytes <= share;
            Optional<Reservation> taken = fits ? memory.tryReserve(bytes) : Optional.empty();
            if (taken.isPresent()) {
                held.add(taken.get());
                return new DigestBuckets(bits);
            }
        }
        throw new CannotVerifyException("there is no memory left for the sums of a comparison");
    }

    @Override
    public void close() {
        held.forEach(Reservation::close);
    }
}
