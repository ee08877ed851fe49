package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Gives the pieces of a body to a load. Network threads gather what arrives; a thread for handlers is taken only when a
 * piece is full, or the body ends. Meanwhile nothing more is read, which makes the client wait.
 */
final class StreamedBodyReader {
    static final int PIECE_BYTES = 64 * 1024;

    private final Request request;
    private final StreamedBody load;
    private final Executor handlers;
    private final Exchange exchange;
    private final Transfer transfer;
    private final byte[] piece = new byte[PIECE_BYTES];
    private Content.@Nullable Chunk kept;
    private int length;
    private boolean last;

    /** A reader, for whose piece memory was reserved. */
    StreamedBodyReader(
            Request request, StreamedBody load, Executor handlers, SlowClientReaper slow, Exchange exchange) {
        this.request = request;
        this.load = load;
        this.handlers = handlers;
        this.exchange = exchange;
        Transfer.Kind kind = load.isHeld() ? Transfer.Kind.BODY : Transfer.Kind.LOAD;
        this.transfer = slow.watch(kind, request);
    }

    /** Gathers what is there, and goes on once more has arrived. */
    void read() {
        transfer.pause(false);
        while (length < PIECE_BYTES && !last) {
            Content.@Nullable Chunk chunk = kept == null ? request.read() : kept;
            if (chunk == null) {
                request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::read));
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                transfer.end();
                Throwable failure = chunk.getFailure();
                hand(() -> exchange.cut(failure));
                return;
            }
            gather(chunk);
        }
        transfer.pause(true);
        hand(this::work);
    }

    private void hand(Runnable task) {
        try {
            handlers.execute(task);
        } catch (RejectedExecutionException e) {
            forget();
            exchange.stopping(e);
        }
    }

    /** Takes what fits of a chunk; the rest is for the next piece. */
    private void gather(Content.Chunk chunk) {
        ByteBuffer bytes = chunk.getByteBuffer();
        int taken = Math.min(bytes.remaining(), PIECE_BYTES - length);
        bytes.get(piece, length, taken);
        length += taken;
        transfer.move(taken);
        if (bytes.hasRemaining()) {
            kept = chunk;
        } else {
            kept = null;
            last = chunk.isLast();
            chunk.release();
        }
    }

    private void work() {
        try {
            if (!exchange.isStillAllowed()) {
                throw Access.revoked();
            }
            load.take(piece, length);
            length = 0;
            if (last) {
                load.end();
            }
        } catch (Throwable e) {
            failed(e);
            return;
        }
        if (last) {
            transfer.end();
            exchange.taken();
        } else {
            read();
        }
    }

    private void failed(Throwable failure) {
        forget();
        exchange.failed(failure);
    }

    private void forget() {
        if (kept != null) {
            kept.release();
        }
        transfer.end();
    }
}
