package dev.tidemark.worker.apply;

/** The result of the verification of a generation. */
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
     * The verification has no result now; another attempt may have one.
     *
     * @param why in a few words for people
     */
    record Undecided(String why) implements VerificationResult {}
}
