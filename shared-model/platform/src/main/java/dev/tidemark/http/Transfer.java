package dev.tidemark.http;

import java.util.function.LongSupplier;

/** Bytes on their way from or to one client, whose speed is watched. */
final class Transfer {
    private final Kind kind;
    private final String client;
    private final LongSupplier moved;
    private final Runnable cutOff;
    private volatile boolean paused;

    /** What is on its way, and how slow it may be. */
    enum Kind {
        /** A request body that is held in memory. */
        BODY("sends its body"),
        /** A request body without a bound, of which little is held. */
        LOAD("sends its body"),
        /** What is left of a body that was refused. */
        REST("sends what was refused"),
        /** An answer that is held in memory. */
        ANSWER("takes its answer"),
        /** An answer that is made while it is sent. */
        PIECES("takes its answer");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /**
     * A transfer.
     *
     * @param client its address, for the log
     * @param moved bytes until now; for any thread
     * @param cutOff ends the transfer because it is too slow; for any thread
     */
    Transfer(Kind kind, String client, LongSupplier moved, Runnable cutOff) {
        this.kind = kind;
        this.client = client;
        this.moved = moved;
        this.cutOff = cutOff;
    }

    Kind kind() {
        return kind;
    }

    long moved() {
        return moved.getAsLong();
    }

    /** Says whether the service itself has something to do before more bytes move. */
    void pause(boolean now) {
        paused = now;
    }

    boolean isPaused() {
        return paused;
    }

    void cutOff() {
        cutOff.run();
    }

    @Override
    public String toString() {
        return client + " " + kind.words;
    }
}
