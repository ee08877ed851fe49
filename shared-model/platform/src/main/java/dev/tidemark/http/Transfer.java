package dev.tidemark.http;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Bytes on their way from or to one client, whose speed is watched. */
final class Transfer {
    private final Kind kind;
    private final String client;
    private final Runnable cutOff;
    private final Set<Transfer> watched;
    private final AtomicLong moved = new AtomicLong();
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
     * @param cutOff ends the transfer because it is too slow; for any thread
     * @param watched the transfers that are watched, until this one ends
     */
    Transfer(Kind kind, String client, Runnable cutOff, Set<Transfer> watched) {
        this.kind = kind;
        this.client = client;
        this.cutOff = cutOff;
        this.watched = watched;
    }

    Kind kind() {
        return kind;
    }

    /** More bytes have moved; for any thread. */
    void move(long bytes) {
        moved.addAndGet(bytes);
    }

    /** Bytes that have moved since it is watched. */
    long moved() {
        return moved.get();
    }

    /** Is watched no more. */
    void end() {
        watched.remove(this);
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
