package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/** A request whose body can be looked at and still be read afterwards, as if nobody had. By one thread at a time. */
final class WholeBody extends Request.Wrapper {
    private final Deque<Content.Chunk> kept = new ArrayDeque<>();

    WholeBody(Request request) {
        super(request);
    }

    /** How much of a body is here. */
    enum Arrival {
        WHOLE,
        PART,
        BROKEN
    }

    /** Looks how much of the body has arrived by now. */
    Arrival arrival() {
        Content.Chunk last = kept.peekLast();
        while (last == null || !last.isLast()) {
            last = super.read();
            if (last == null) {
                return Arrival.PART;
            }
            kept.add(last);
            if (Content.Chunk.isFailure(last)) {
                return Arrival.BROKEN;
            }
        }
        return Arrival.WHOLE;
    }

    /** Runs that once more has arrived. */
    void onMore(Runnable look) {
        super.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, look));
    }

    /** The body that has arrived whole. */
    byte[] bytes() {
        ByteBuffer body = ByteBuffer.allocate(
                kept.stream().mapToInt(Content.Chunk::remaining).sum());
        kept.forEach(chunk -> body.put(chunk.getByteBuffer().slice()));
        return body.array();
    }

    /** Gives up what was looked at: nobody will read it. */
    void discard() {
        kept.forEach(Content.Chunk::release);
        kept.clear();
    }

    @Override
    public Content.@Nullable Chunk read() {
        Content.Chunk first = kept.poll();
        return first == null ? super.read() : first;
    }

    @Override
    public void demand(Runnable ready) {
        if (kept.isEmpty()) {
            super.demand(ready);
        } else {
            getComponents().getExecutor().execute(ready);
        }
    }
}
