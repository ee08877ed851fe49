package dev.tidemark.worker.store;

/** What a commit survives once it has returned. */
public enum Durability {
    /** The end of the process. A power cut may undo it, with all that came after. */
    PROCESS,
    /** A power cut too, and everything committed before it. */
    POWER_CUT
}
