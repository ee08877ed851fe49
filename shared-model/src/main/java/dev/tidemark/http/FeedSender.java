package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Sends what a follower has for one client, and waits for the client nowhere. For any thread. */
final class FeedSender implements Feed, Callback {
    private final Response response;
    private final Follower follower;
    private final SlowClients slow;
    private final AnswerSender.End end;
    private final Transfer transfer;
    private final AtomicLong sent = new AtomicLong();
    private boolean pending;
    private boolean over;

    FeedSender(Request request, Response response, Follower follower, SlowClients slow, AnswerSender.End end) {
        this.response = response;
        this.follower = follower;
        this.slow = slow;
        this.end = end;
        this.transfer = slow.watch(Transfer.Kind.PIECES, request, sent::get);
        this.transfer.pause(true);
    }

    @Override
    public synchronized void send(byte[] bytes) {
        if (over) {
            return;
        }
        if (pending) {
            throw new IllegalStateException("Expected what was sent last to be with the client");
        }
        pending = true;
        transfer.pause(false);
        response.write(false, ByteBuffer.wrap(bytes), this);
    }

    @Override
    public void end() {
        boolean wasPending;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            wasPending = pending;
        }
        slow.forget(transfer);
        if (wasPending) {
            end.unsent(new EofException("a client did not take what was sent last"));
        } else {
            response.write(true, Answer.EMPTY, Callback.from(InvocationType.NON_BLOCKING, end::sent, end::unsent));
        }
        follower.closed();
    }

    @Override
    public void succeeded() {
        synchronized (this) {
            pending = false;
            transfer.pause(true);
        }
        sent.incrementAndGet();
        follower.sent();
    }

    @Override
    public void failed(Throwable failure) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        slow.forget(transfer);
        end.unsent(failure);
        follower.closed();
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }
}
