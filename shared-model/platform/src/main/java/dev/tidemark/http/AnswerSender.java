package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Executor;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/**
 * Sends an answer that is in memory, or whose pieces are made on a thread for handlers while it is sent. No thread
 * waits for the client to take it.
 */
final class AnswerSender extends IteratingCallback {
    /**
     * How fast a client takes an answer is seen by its parts, which are short beside what must be taken in a window.
     * The system also copies what it is given.
     */
    private static final int PART_BYTES = 16 * 1024;

    private final Request request;
    private final Response response;
    private final @Nullable BodyChunks pieces;
    private final Executor handlers;
    private final SlowClientReaper slow;
    private final Exchange exchange;
    private ByteBuffer piece = Answer.EMPTY;
    /** Whether no piece comes after this one. */
    private boolean last;

    private boolean ended;
    private volatile boolean over;
    private volatile @Nullable Transfer transfer;

    /** Sends what an answer has as a body, once its head was put. */
    AnswerSender(
            Request request,
            Response response,
            @Nullable BodyChunks pieces,
            Executor handlers,
            SlowClientReaper slow,
            Exchange exchange) {
        this.request = request;
        this.response = response;
        this.pieces = pieces;
        this.handlers = handlers;
        this.slow = slow;
        this.exchange = exchange;
    }

    /** Puts what an answer has beside its body. */
    static void head(Response response, Answer answer) {
        response.setStatus(answer.status);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, answer.type);
        for (Answer.Header header : answer.headers) {
            headers.add(header.name(), header.value());
        }
    }

    /** Takes the next part of what is to be sent. */
    static ByteBuffer part(ByteBuffer bytes) {
        ByteBuffer part = bytes.slice();
        part.limit(Math.min(part.limit(), PART_BYTES));
        bytes.position(bytes.position() + part.remaining());
        return part;
    }

    /** Sends a whole body. Only a client that does not take it at once is watched. */
    void sendWhole(ByteBuffer body) {
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.remaining());
        piece = body;
        last = true;
        iterate();
        if (!over) {
            watch(Transfer.Kind.ANSWER);
        }
    }

    /** Sends the pieces, of which the first was made; null where there is none. */
    void sendPieces(@Nullable ByteBuffer first) {
        watch(Transfer.Kind.PIECES);
        send(first);
    }

    private void watch(Transfer.Kind kind) {
        Transfer watched = slow.watch(kind, request);
        transfer = watched;
        if (over) {
            watched.end();
        }
    }

    private void send(@Nullable ByteBuffer next) {
        last = next == null;
        piece = next == null ? Answer.EMPTY : next;
        pause(false);
        iterate();
    }

    @Override
    protected Action process() {
        if (ended) {
            return Action.SUCCEEDED;
        }
        if (!last && !piece.hasRemaining()) {
            pause(true);
            handlers.execute(this::next);
            return Action.IDLE;
        }
        ByteBuffer part = part(piece);
        Transfer watched = transfer;
        if (watched != null) {
            watched.move(part.remaining());
        }
        ended = last && !piece.hasRemaining();
        response.write(ended, part, this);
        return Action.SCHEDULED;
    }

    private void next() {
        try {
            if (!exchange.isStillAllowed()) {
                throw Access.revoked();
            }
            send(Objects.requireNonNull(pieces).next());
        } catch (Throwable e) {
            abort(e);
        }
    }

    private void pause(boolean now) {
        Transfer watched = transfer;
        if (watched != null) {
            watched.pause(now);
        }
    }

    @Override
    protected void onCompleteSuccess() {
        over();
        exchange.sent();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        over();
        exchange.unsent(cause);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    private void over() {
        over = true;
        Transfer watched = transfer;
        if (watched != null) {
            watched.end();
        }
        if (pieces != null) {
            pieces.close();
        }
    }
}
