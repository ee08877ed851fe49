package dev.tidemark.http;

import java.util.concurrent.CancellationException;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way to another process, which reads it as fast as it can take it. While that process
 * takes nothing, the silence is not the client's.
 */
final class ForwardedBody implements org.eclipse.jetty.client.Request.Content {
    private final Request request;
    private final Transfer transfer;
    private final Exchange exchange;
    private boolean awaited;
    private boolean whole;
    private @Nullable Throwable ended;
    private @Nullable Throwable failure;

    ForwardedBody(Request request, SlowClientReaper slow, Exchange exchange) {
        this.request = request;
        this.exchange = exchange;
        this.transfer = slow.watch(Transfer.Kind.LOAD, request);
        transfer.pause(true);
    }

    /** Whether a request has one. */
    static boolean isIn(Request request) {
        return request.getLength() > 0 || request.getHeaders().contains("Transfer-Encoding");
    }

    @Override
    public long getLength() {
        return request.getLength();
    }

    @Override
    public synchronized Content.@Nullable Chunk read() {
        Throwable end = ended;
        if (end != null) {
            return Content.Chunk.from(end);
        }
        exchange.askForBody();
        Content.Chunk chunk = request.read();
        if (chunk != null) {
            transfer.move(chunk.remaining());
            failure = chunk.getFailure();
            whole = chunk.isLast() && failure == null;
        }
        return chunk;
    }

    @Override
    public synchronized void demand(Runnable more) {
        if (ended != null) {
            more.run();
            return;
        }
        awaited = true;
        transfer.pause(false);
        request.demand(() -> arrived(more));
    }

    private void arrived(Runnable more) {
        synchronized (this) {
            awaited = false;
            transfer.pause(true);
        }
        more.run();
    }

    /** The other process takes no more of it. */
    @Override
    public synchronized void fail(Throwable reason) {
        if (ended == null) {
            ended = reason;
        }
    }

    /** Nothing of it is read any more. */
    synchronized void end() {
        transfer.end();
        fail(new CancellationException("the request was answered"));
    }

    /** Whether someone else may read what is left of it. */
    synchronized boolean isFree() {
        return !awaited;
    }

    /** Why the client did not send all of it; null where it did, or may. */
    synchronized @Nullable Throwable failure() {
        return failure;
    }

    /** Whether all of it was read. */
    synchronized boolean isWhole() {
        return whole;
    }
}
