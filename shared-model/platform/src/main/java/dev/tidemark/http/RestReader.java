package dev.tidemark.http;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Reads past what is left of a body that was refused. Many clients send everything before they read anything; answered
 * and closed in the middle, they would find a broken connection in place of the answer. How much and for how long is
 * bounded.
 */
final class RestReader {
    /** Most bytes that are read past of a client that has not shown who it is. */
    static final long MOST_BYTES_OF_STRANGERS = 64 * 1024;

    /** Most bytes that are read past of others. */
    static final long MOST_BYTES = 64L << 20;

    private final Request request;
    private final SlowClientReaper slow;
    private final long mostBytes;
    private long passed;
    private @Nullable Transfer transfer;

    RestReader(Request request, SlowClientReaper slow, long mostBytes) {
        this.request = request;
        this.slow = slow;
        this.mostBytes = mostBytes;
    }

    /** Reads past what has arrived; whether that was all. */
    boolean skipArrived() {
        while (passed < mostBytes) {
            Content.Chunk chunk = request.read();
            if (chunk == null || Content.Chunk.isFailure(chunk)) {
                return false;
            }
            if (passes(chunk)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads on until the body ends, or for as much and as long as is bearable.
     *
     * @param end called once, when nothing more is read
     */
    void skip(Runnable end) {
        while (passed < mostBytes) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                if (transfer == null) {
                    transfer = slow.watch(Transfer.Kind.REST, request);
                }
                request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, () -> skip(end)));
                return;
            }
            if (Content.Chunk.isFailure(chunk) || passes(chunk)) {
                break;
            }
        }
        if (transfer != null) {
            transfer.end();
        }
        end.run();
    }

    /** Passes a chunk; whether it was the last. */
    private boolean passes(Content.Chunk chunk) {
        passed += chunk.remaining();
        if (transfer != null) {
            transfer.move(chunk.remaining());
        }
        boolean last = chunk.isLast();
        chunk.release();
        return last;
    }
}
