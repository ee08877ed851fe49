package dev.tidemark.http;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request that is passed on to another process, and its answer on the way back. */
final class ForwardedCall implements org.eclipse.jetty.client.Response.Listener {
    private static final Logger LOGGER = LoggerFactory.getLogger(ForwardedCall.class);

    /** What the calls of a service read, beside the length of the body, and what a proxy before it may have added. */
    private static final Set<String> PASSED_ON =
            Set.of("accept", "authorization", "content-type", "if-match", "if-none-match", "traceparent", "tracestate");

    /** What is of the connection, or is put by the server of this process. */
    private static final Set<String> OF_CONNECTION = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "date",
            "server");

    private static final Set<String> READS = Set.of("GET", "HEAD");
    private static final String LOOKUP = ":lookup";

    private final Forwarder forwarder;
    private final Request request;
    private final Response response;
    private final SlowClientReaper slow;
    private final Exchange exchange;
    private final CompletableFuture<Boolean> answered = new CompletableFuture<>();
    private @Nullable ForwardedBody body;
    private @Nullable Transfer transfer;
    private volatile boolean sent;
    private volatile boolean begun;

    ForwardedCall(Forwarder forwarder, Request request, Response response, SlowClientReaper slow, Exchange exchange) {
        this.forwarder = forwarder;
        this.request = request;
        this.response = response;
        this.slow = slow;
        this.exchange = exchange;
    }

    /** Sends the request on. */
    void begin() {
        URI target = forwarder.target(request.getHeaders().contains(Forwarder.HOP));
        org.eclipse.jetty.client.Request onward = forwarder
                .to(target)
                .method(request.getMethod())
                .path(request.getHttpURI().getPathQuery())
                .idleTimeout(forwarder.silence().toMillis(), TimeUnit.MILLISECONDS)
                .onRequestBegin(begins -> sent = true)
                .headers(headers -> {
                    for (HttpField field : request.getHeaders()) {
                        if (PASSED_ON.contains(field.getLowerCaseName())) {
                            headers.add(field);
                        }
                    }
                    headers.put(Forwarder.HOP, "1");
                });
        if (ForwardedBody.isIn(request)) {
            ForwardedBody content = new ForwardedBody(request, slow, exchange);
            body = content;
            onward.body(content);
        }
        // While the other process works, the silence is not the client's.
        request.addIdleTimeoutListener(silence -> false);
        onward.send(this);
    }

    @Override
    public void onHeaders(org.eclipse.jetty.client.Response answer) {
        response.setStatus(answer.getStatus());
        for (HttpField field : answer.getHeaders()) {
            if (!OF_CONNECTION.contains(field.getLowerCaseName())) {
                response.getHeaders().add(field);
            }
        }
        // A client that is answered before all of its body was taken.
        exchange.connectionHead(body != null && !body.isWhole());
        begun = true;
        transfer = slow.watch(Transfer.Kind.PIECES, request);
        pause(true);
    }

    @Override
    public void onContent(org.eclipse.jetty.client.Response answer, Content.Chunk chunk, Runnable more) {
        chunk.retain();
        pause(false);
        if (transfer != null) {
            transfer.move(chunk.remaining());
        }
        ByteBuffer piece = chunk.getByteBuffer();
        response.write(
                false,
                piece,
                Callback.from(
                        () -> {
                            chunk.release();
                            pause(true);
                            more.run();
                        },
                        failure -> {
                            chunk.release();
                            CompletableFuture<Boolean> unused = answer.abort(failure);
                        }));
    }

    @Override
    public void onSuccess(org.eclipse.jetty.client.Response answer) {
        pause(false);
        response.write(
                true,
                BufferUtil.EMPTY_BUFFER,
                Callback.from(() -> answered.complete(true), answered::completeExceptionally));
    }

    @Override
    public void onComplete(Result result) {
        if (body != null) {
            body.end();
        }
        if (result.getResponseFailure() == null) {
            CompletableFuture<Boolean> unused = answered.whenComplete(
                    (done, failure) -> over(failure == null ? result.getRequestFailure() : failure));
        } else if (begun) {
            over(result.getResponseFailure());
        } else {
            failed(result.getFailure());
        }
    }

    /** The answer is with the client, or is broken off. */
    private void over(@Nullable Throwable failure) {
        if (transfer != null) {
            transfer.end();
        }
        if (failure == null) {
            exchange.sent();
        } else {
            exchange.unsent(failure);
        }
    }

    /** No answer came. */
    private void failed(Throwable failure) {
        LOGGER.debug("{} {} was passed on in vain", request.getMethod(), request.getHttpURI(), failure);
        ForwardedBody content = body;
        @Nullable Throwable ofClient = content == null ? null : content.failure();
        if (ofClient != null) {
            exchange.cut(sent && isLoad() ? brokenLoad() : Failures.ofBody(ofClient));
        } else if (content == null || content.isFree()) {
            exchange.refused(problem());
        } else {
            exchange.cut(problem());
        }
    }

    private Problem problem() {
        if (!sent) {
            return forwarder.notDone("the active process of this service cannot be reached; one takes over within"
                    + " seconds where it is gone");
        }
        return isRead()
                ? Forwarder.unread("the active process of this service did not answer")
                : Forwarder.unknown("the request was passed on to the active process of this service, and no answer"
                        + " came; look at what it should have changed before sending it again");
    }

    /** The key of a row may end like the path of a lookup, so the method counts as well. */
    private boolean isRead() {
        String method = request.getMethod();
        return READS.contains(method)
                || (method.equals("POST") && request.getHttpURI().getPath().endsWith(LOOKUP));
    }

    /** Of any other request, nothing is done before all of its body is there. */
    private boolean isLoad() {
        String type = Requests.bare(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
        return type.contains("ndjson") || type.contains("jsonl");
    }

    private static Problem brokenLoad() {
        return Forwarder.unknown("the body came too slowly or broke off while it was passed on to the active process of"
                + " this service, which may have done a part of it");
    }

    private void pause(boolean now) {
        if (transfer != null) {
            transfer.pause(now);
        }
    }
}
