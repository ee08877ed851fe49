package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/**
 * Makes the pieces of an answer on a thread for handlers, and sends them without a thread that waits for the client.
 */
final class ChunkSender extends IteratingCallback {
    private final Response response;
    private final BodyChunks pieces;
    private final Executor handlers;
    private final SlowClientReaper slow;
    private final Transfer transfer;
    private final AnswerSender.End end;
    private final AtomicLong sent = new AtomicLong();
    private ByteBuffer piece = Answer.EMPTY;
    private boolean last;
    private boolean ended;

    ChunkSender(
            Request request,
            Response response,
            BodyChunks pieces,
            Executor handlers,
            SlowClientReaper slow,
            AnswerSender.End end) {
        this.response = response;
        this.pieces = pieces;
        this.handlers = handlers;
        this.slow = slow;
        this.end = end;
        this.transfer = slow.watch(Transfer.Kind.PIECES, request, sent::get);
    }

    /** Sends from the given piece on. */
    void send(@Nullable ByteBuffer next) {
        last = next == null;
        piece = next == null ? Answer.EMPTY : next;
        transfer.pause(false);
        iterate();
    }

    @Override
    protected Action process() {
        if (piece.hasRemaining()) {
            ByteBuffer part = AnswerSender.part(piece);
            sent.addAndGet(part.remaining());
            response.write(false, part, this);
            return Action.SCHEDULED;
        }
        if (!last) {
            transfer.pause(true);
            handlers.execute(this::next);
            return Action.IDLE;
        }
        if (ended) {
            return Action.SUCCEEDED;
        }
        ended = true;
        response.write(true, Answer.EMPTY, this);
        return Action.SCHEDULED;
    }

    private void next() {
        try {
            send(pieces.next());
        } catch (Throwable e) {
            abort(e);
        }
    }

    @Override
    protected void onCompleteSuccess() {
        over();
        end.sent();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        over();
        end.unsent(cause);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    private void over() {
        slow.forget(transfer);
        pieces.close();
    }
}
