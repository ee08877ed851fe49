package dev.tidemark.worker.http;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.tidemark.http.Feed;
import dev.tidemark.http.FeedPublisher;

/**
 * One client that follows the lag. Nothing here waits for the client: what it is too slow to take is replaced by the
 * next message, so that it costs one message of memory at most.
 *
 * <p>Messages come from the thread {@code events}, readiness from the server's threads.
 */
final class EventStream implements FeedPublisher {
    private final String caller;
    private final Duration interval;
    private final BooleanSupplier allowed;
    private final Consumer<EventStream> forget;
    private Instant due = Instant.MIN;
    private byte @Nullable [] waiting;
    private @Nullable Feed feed;
    private boolean writable;
    private boolean over;

    /**
     * A client.
     *
     * @param caller the name of its token
     * @param allowed whether its token is still good
     * @param forget called once, when the stream is over
     */
    EventStream(String caller, Duration interval, BooleanSupplier allowed, Consumer<EventStream> forget) {
        this.caller = caller;
        this.interval = interval;
        this.allowed = allowed;
        this.forget = forget;
    }

    String caller() {
        return caller;
    }

    boolean isStillAllowed() {
        return allowed.getAsBoolean();
    }

    /** Whether it is time for the next message; called by the thread {@code events} only. */
    boolean isDue(Instant now) {
        return !now.isBefore(due);
    }

    /** Sends a message, in place of one that still waits. */
    void send(byte[] message, Instant now) {
        // On the beat of the interval, so that streams of one interval share the work of a message.
        long beat = interval.toMillis();
        due = Instant.ofEpochMilli((Math.floorDiv(now.toEpochMilli(), beat) + 1) * beat);
        put(message, true);
    }

    /** Sends a comment, which clients ignore, unless a message waits anyway. */
    void sendComment(byte[] comment) {
        put(comment, false);
    }

    @Override
    public synchronized void open(Feed opened) {
        feed = opened;
        writable = true;
        if (over) {
            opened.end();
        } else {
            move();
        }
    }

    @Override
    public synchronized void sent() {
        writable = true;
        move();
    }

    @Override
    public void closed() {
        synchronized (this) {
            over = true;
            waiting = null;
        }
        forget.accept(this);
    }

    /** Ends the stream; no more than the first call has an effect. Nothing is written from then on. */
    void end() {
        @Nullable Feed opened;
        synchronized (this) {
            over = true;
            opened = feed;
        }
        if (opened != null) {
            opened.end();
        }
    }

    private synchronized void put(byte[] message, boolean replacing) {
        if (replacing || waiting == null) {
            waiting = message;
        }
        move();
    }

    private void move() {
        while (feed != null && writable && !over && waiting != null) {
            byte[] message = waiting;
            waiting = null;
            writable = false;
            // Where the client takes it at once, this is writable again when the call returns.
            feed.send(message);
        }
    }
}
