package dev.tidemark.http;

import java.util.concurrent.atomic.AtomicLong;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Reads past what is left of a body that was refused. Many clients send everything before they read anything; answered and closed
 * in the middle, they would find a broken connection in place of the answer. How much and for how long is bounded.
 */
final class RestReader {
    /** Most bytes that are read past of a client that has not shown who it is. */
    static final long MOST_BYTES_OF_STRANGERS = 64 * 1024;

    /** Most bytes that are read past of others. */
    static final long MOST_BYTES = 64L << 20;

    private final Request request;
    private final SlowClients slow;
    private final long mostBytes;
    private final Runnable end;
    private final AtomicLong passed = new AtomicLong();
    private @Nullable Transfer transfer;

    private RestReader(Request request, SlowClients slow, long mostBytes, Runnable end) {
        this.request = request;
        this.slow = slow;
        this.mostBytes = mostBytes;
        this.end = end;
    }

    /** Reads past what has arrived; whether that was all. */
    static boolean skipArrived(Request request, long mostBytes) {
        long skipped = 0;
        Content.Chunk chunk = request.read();
        while (chunk != null && !Content.Chunk.isFailure(chunk)) {
            skipped += chunk.remaining();
            boolean last = chunk.isLast();
            chunk.release();
            if (last || skipped > mostBytes) {
                return last;
            }
            chunk = request.read();
        }
        return false;
    }

    /**
     * Reads on until the body ends, or for as much and as long as is bearable.
     *
     * @param end called once, when nothing more is read
     */
    static void skip(Request request, SlowClients slow, long mostBytes, Runnable end) {
        new RestReader(request, slow, mostBytes, end).read();
    }

    private void read() {
        Content.Chunk chunk = request.read();
        while (chunk != null) {
            boolean last = chunk.isLast() || Content.Chunk.isFailure(chunk);
            long sum = passed.addAndGet(chunk.remaining());
            chunk.release();
            if (last || sum > mostBytes) {
                if (transfer != null) {
                    slow.forget(transfer);
                }
                end.run();
                return;
            }
            chunk = request.read();
        }
        if (transfer == null) {
            transfer = slow.watch(Transfer.Kind.REST, request, passed::get);
        }
        request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::read));
    }
}
