package dev.tidemark.http;

import java.nio.ByteBuffer;

import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

/** Sends what a follower has for one client, and waits for the client nowhere. For any thread. */
final class FeedSender extends IteratingCallback implements Feed {
    private final Response response;
    private final FeedPublisher follower;
    private final Exchange exchange;
    private final Transfer transfer;
    private ByteBuffer message = Answer.EMPTY;
    private boolean pending;
    private boolean over;

    FeedSender(Request request, Response response, FeedPublisher follower, SlowClientReaper slow, Exchange exchange) {
        this.response = response;
        this.follower = follower;
        this.exchange = exchange;
        this.transfer = slow.watch(Transfer.Kind.PIECES, request);
        this.transfer.pause(true);
    }

    @Override
    public void send(byte[] bytes) {
        synchronized (this) {
            if (over) {
                return;
            }
            if (pending) {
                throw new IllegalStateException("Expected what was sent last to be with the client");
            }
            pending = true;
            message = ByteBuffer.wrap(bytes);
            transfer.pause(false);
        }
        iterate();
    }

    @Override
    protected Action process() {
        ByteBuffer part;
        synchronized (this) {
            if (over || !pending) {
                return Action.IDLE;
            }
            part = AnswerSender.part(message);
            if (!part.hasRemaining()) {
                pending = false;
                transfer.pause(true);
            }
        }
        if (part.hasRemaining()) {
            transfer.move(part.remaining());
            response.write(false, part, this);
            return Action.SCHEDULED;
        }
        // Where it sends at once, this is called again.
        follower.sent();
        return Action.IDLE;
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
        transfer.end();
        if (wasPending) {
            exchange.unsent(new EofException("a client did not take what was sent last"));
        } else {
            response.write(
                    true, Answer.EMPTY, Callback.from(InvocationType.NON_BLOCKING, exchange::sent, exchange::unsent));
        }
        follower.closed();
    }

    /** Breaks the answer off. */
    void broken(Throwable failure) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        transfer.end();
        exchange.unsent(failure);
        follower.closed();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        broken(cause);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }
}
