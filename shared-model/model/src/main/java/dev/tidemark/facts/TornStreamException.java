package dev.tidemark.facts;

import java.io.IOException;

/** A stream of facts that is not whole, or not what a writer sends. What was read of it proves nothing. */
public final class TornStreamException extends IOException {
    private static final long serialVersionUID = 1L;

    TornStreamException(String message) {
        super(message);
    }
}
