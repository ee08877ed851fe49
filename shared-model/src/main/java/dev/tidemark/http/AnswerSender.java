package dev.tidemark.http;

import java.nio.ByteBuffer;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/** Sends an answer that is in memory, without a thread that waits for the client to take it. */
final class AnswerSender extends IteratingCallback {
    /**
     * How fast a client takes an answer is seen by its parts, which are short beside what must be taken in a window.
     * The system also copies what it is given.
     */
    private static final int PART_BYTES = 16 * 1024;

    private final Request request;
    private final Response response;
    private final SlowClientReaper slow;
    private final ByteBuffer body;
    private final int bytes;
    private final End end;
    private boolean begun;
    private volatile boolean over;
    private volatile @Nullable Transfer transfer;

    /** How sending ends: by one of these calls. */
    interface End {
        void sent();

        void unsent(Throwable failure);
    }

    private AnswerSender(Request request, Response response, SlowClientReaper slow, ByteBuffer body, End end) {
        this.request = request;
        this.response = response;
        this.slow = slow;
        this.body = body;
        this.bytes = body.remaining();
        this.end = end;
    }

    /** Sends the body of an answer whose head was put. */
    static void send(Request request, Response response, SlowClientReaper slow, Answer answer, End end) {
        ByteBuffer body = answer.body();
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.remaining());
        new AnswerSender(request, response, slow, body, end).begin();
    }

    /** Puts what an answer has beside its body. */
    static void head(Response response, Answer answer) {
        response.setStatus(answer.status());
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, answer.type());
        for (Answer.Header header : answer.headers()) {
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

    private void begin() {
        iterate();
        if (over) {
            return;
        }
        Transfer watched = slow.watch(Transfer.Kind.ANSWER, request, () -> bytes - body.remaining());
        transfer = watched;
        if (over) {
            slow.forget(watched);
        }
    }

    @Override
    protected Action process() {
        if (begun && !body.hasRemaining()) {
            return Action.SUCCEEDED;
        }
        begun = true;
        ByteBuffer part = part(body);
        response.write(!body.hasRemaining(), part, this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        forget();
        end.sent();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        forget();
        end.unsent(cause);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    private void forget() {
        over = true;
        Transfer watched = transfer;
        if (watched != null) {
            slow.forget(watched);
        }
    }
}
