package dev.tidemark.deploy.kills;

/** When the trial of fact tables drops what was published long ago, and how much of it stays. */
final class Housekeeping {
    private static final long EVERY = 50;
    private static final long KEPT_CHANGES = 400;

    private Housekeeping() {}

    /** Whether something is dropped before the batch after this one is written. */
    static boolean isDueAfter(long batch) {
        return batch > 0 && batch % EVERY == 0;
    }

    /** The changes up to this sequence are then gone. */
    static long goneAfter(long batch) {
        return Math.max(0, batch * Script.CHANGES - KEPT_CHANGES);
    }

    /** Changes up to this sequence are certainly gone once a batch is there. */
    static long certainlyGone(long batch) {
        return goneAfter((batch - 1) / EVERY * EVERY);
    }

    /** Changes up to this sequence may be gone. */
    static long possiblyGone(long batch) {
        return goneAfter(batch / EVERY * EVERY);
    }
}
