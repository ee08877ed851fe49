package dev.tidemark.worker.apply;

/** What a comparison of a generation with its table came to. */
public sealed interface VerificationResult {
    /** Both are the same. */
    record Equal() implements VerificationResult {}

    /**
     * They differ.
     *
     * @param how in a few words for people
     */
    record Different(String how) implements VerificationResult {}

    /**
     * It cannot be told now, and another attempt may tell.
     *
     * @param why in a few words for people
     */
    record Undecided(String why) implements VerificationResult {}
}
