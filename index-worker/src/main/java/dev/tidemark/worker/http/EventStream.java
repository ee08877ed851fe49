package dev.tidemark.worker.http;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client that follows the lag. Nothing here waits for the client: what it is too slow to take is replaced by the next
 * message, so that it costs one message of memory at most.
 *
 * <p>Messages come from the thread {@code events}, readiness from the server's threads; the lock is held while bytes move
 * into the server's buffer, never while they move to the client.
 */
final class EventStream implements WriteListener {
    private static final Logger LOGGER = LoggerFactory.getLogger(EventStream.class);

    private final ServletOutputStream out;
    private final Duration interval;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private Instant due = Instant.MIN;
    private byte @Nullable [] waiting;
    private boolean unflushed;
    private boolean writable;
    private boolean over;

    EventStream(ServletOutputStream out, Duration interval) {
        this.out = out;
        this.interval = interval;
    }

    /** Completed when the stream is over, for whatever reason. */
    CompletableFuture<Void> ended() {
        return ended;
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
        hand(message, true);
    }

    /** Sends a comment, which clients ignore, unless a message waits anyway. */
    void sendComment(byte[] comment) {
        hand(comment, false);
    }

    @Override
    public void onWritePossible() {
        hand(null, true);
    }

    @Override
    public void onError(Throwable failure) {
        LOGGER.debug("A client that followed the lag is gone", failure);
        end();
    }

    /** Ends the stream; no more than the first call has an effect. Nothing is written from then on. */
    void end() {
        synchronized (this) {
            over = true;
        }
        ended.complete(null);
    }

    private void hand(byte @Nullable [] message, boolean replacing) {
        try {
            move(message, replacing);
        } catch (IOException | IllegalStateException e) {
            onError(e);
        }
    }

    /** Moves what waits as far as the server takes it; it calls back, without a message, when it takes more. */
    private synchronized void move(byte @Nullable [] message, boolean replacing) throws IOException {
        if (message == null) {
            writable = true;
        } else if (replacing || waiting == null) {
            waiting = message;
        }
        while (writable && !over && (waiting != null || unflushed)) {
            writable = out.isReady();
            if (writable && waiting != null) {
                out.write(waiting);
                waiting = null;
                unflushed = true;
            } else if (writable) {
                out.flush();
                unflushed = false;
            }
        }
    }
}
