package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Makes the pieces of an answer on a thread for handlers, and sends them without a thread that waits for the client. */
final class PieceSender implements Callback {
    private final Response response;
    private final Pieces pieces;
    private final Executor handlers;
    private final SlowClients slow;
    private final Transfer transfer;
    private final AnswerSender.End end;
    private final AtomicReference<Write> write = new AtomicReference<>(Write.BEGUN);
    private final AtomicLong sent = new AtomicLong();
    private long length;
    private boolean last;

    private enum Write {
        BEGUN,
        /** Over before the call returned that began it. */
        DONE,
        /** Goes on after that call returned. */
        LASTS
    }

    PieceSender(
            Request request,
            Response response,
            Pieces pieces,
            Executor handlers,
            SlowClients slow,
            AnswerSender.End end) {
        this.response = response;
        this.pieces = pieces;
        this.handlers = handlers;
        this.slow = slow;
        this.end = end;
        this.transfer = slow.watch(Transfer.Kind.PIECES, request, sent::get);
    }

    /** Sends from the given piece on; on a thread for handlers. */
    void send(@Nullable ByteBuffer first) {
        @Nullable ByteBuffer piece = first;
        do {
            last = piece == null;
            length = piece == null ? 0 : piece.remaining();
            write.set(Write.BEGUN);
            transfer.pause(false);
            response.write(last, piece == null ? Answer.EMPTY : piece, this);
            if (write.compareAndSet(Write.BEGUN, Write.LASTS)) {
                return;
            }
            if (last) {
                over();
                end.sent();
                return;
            }
            transfer.pause(true);
            try {
                piece = pieces.next();
            } catch (Throwable e) {
                failed(e);
                return;
            }
        } while (true);
    }

    @Override
    public void succeeded() {
        sent.addAndGet(length);
        if (write.compareAndSet(Write.BEGUN, Write.DONE)) {
            return;
        }
        if (last) {
            over();
            end.sent();
            return;
        }
        transfer.pause(true);
        try {
            handlers.execute(this::next);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    @Override
    public void failed(Throwable failure) {
        over();
        end.unsent(failure);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    private void next() {
        try {
            send(pieces.next());
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void over() {
        slow.forget(transfer);
        pieces.close();
    }
}
