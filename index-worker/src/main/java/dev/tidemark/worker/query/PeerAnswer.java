package dev.tidemark.worker.query;

/** What another worker answers to a part of a question. */
public sealed interface PeerAnswer {
    /** Why there is nothing; empty where there is something. */
    String detail();

    /**
     * It has read its part.
     *
     * @param part without rows; to be closed by its receiver
     */
    record Found(QueryResult part) implements PeerAnswer {
        @Override
        public String detail() {
            return "";
        }
    }

    /** It does not hold all that was asked for; the route to it is out of date. */
    record NotHeld(String detail) implements PeerAnswer {}

    /** The generation may not answer there. */
    record NotServing(String detail) implements PeerAnswer {}

    /** The question asks for a write of an epoch that is over. */
    record LostToken(String detail) implements PeerAnswer {}

    /** It holds the shards, and cannot answer now. */
    record NotAnswerable(String detail) implements PeerAnswer {}

    /** There is no answer, or none that can be read. */
    record Unreachable(String detail) implements PeerAnswer {}
}
