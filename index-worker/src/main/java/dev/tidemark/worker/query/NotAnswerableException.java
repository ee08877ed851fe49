package dev.tidemark.worker.query;

import java.util.Optional;

/** The question is a good one, but cannot be answered truthfully now; the message says why. Asking again may help. */
public class NotAnswerableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Optional<Freshness> freshness;

    public NotAnswerableException(String message) {
        this(message, Optional.empty());
    }

    /**
     * With the freshness that the answer would have had.
     *
     * @param freshness empty where that has nothing to do with it
     */
    public NotAnswerableException(String message, Optional<Freshness> freshness) {
        super(message);
        this.freshness = freshness;
    }

    /** The freshness that the answer would have had. */
    public Optional<Freshness> freshness() {
        return freshness;
    }
}
