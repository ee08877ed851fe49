package dev.tidemark.worker.http;

import java.io.IOException;

/** An answer has more bytes than were expected. */
final class AnswerTooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    AnswerTooLongException(int most) {
        super("expected an answer of at most " + most + " bytes, but it has more");
    }
}
