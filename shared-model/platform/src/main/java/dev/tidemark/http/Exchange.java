package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.access.Caller;
import dev.tidemark.row.ProblemType;

/**
 * One request on its way: what is asked, its body, what the call does, the answer. A client that is slow at any of it
 * costs a connection, never a thread. One thread at a time.
 */
final class Exchange {
    private static final Logger LOGGER = LoggerFactory.getLogger(Exchange.class);
    private static final byte[] NO_BODY = {};

    /** What they answer can be asked for again. */
    private static final Set<String> READS = Set.of("GET", "HEAD");

    private static final Problem STOPPING =
            Problem.retryable(503, "Service unavailable", "the service is stopping", Duration.ofSeconds(1));

    private final ServerContext serving;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final CallMemory memory;
    private final Answer answer = new Answer();
    private @Nullable Asked asked;
    private @Nullable StreamedBody load;

    /** What reads past the rest of a body that was refused; null where none is left. */
    private @Nullable RestReader rest;

    /** Whether any of the body was asked for. */
    private boolean bodyAskedFor;

    /** Whether no request can come after the answer: the body broke off, or the answer has no end. */
    private boolean ends;

    /** Whether the answer has begun, and leaves its connection to further requests. */
    private boolean kept;

    /** What a request turned out to ask for. */
    private record Asked(Route route, Call call) {}

    Exchange(ServerContext serving, Request request, Response response, Callback callback) {
        this.serving = serving;
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.memory = serving.memory().forCall();
    }

    /** Looks at the head of the request, then reads its body. Nothing of a body is read of who may not send it. */
    void begin() {
        try {
            serving.rules().check(request);
            Asked found = asked();
            int mostBytes = found.route().body().mostBytes(found.call());
            if (found.route().equals(RouteTable.PASSED_ON)) {
                new ForwardedCall(serving.own().forwarder().orElseThrow(), request, response, serving.slow(), this)
                        .begin();
            } else if (found.route().load().isPresent()) {
                load(found, found.route().load().get());
            } else if (request.getLength() > mostBytes) {
                refused(BodyReader.tooLarge(mostBytes));
            } else {
                askForBody();
                new BodyReader(request, memory, serving.slow(), mostBytes, this).read();
            }
        } catch (Exception e) {
            refused(problem(e));
        }
    }

    private Asked asked() {
        HttpURI uri = request.getHttpURI();
        RouteTable.Match match = serving.routes().find(request.getMethod(), uri.getPath());
        Map<String, List<String>> parameters = QueryText.parameters(uri.getQuery());
        Call call = new Call(request, match.names(), parameters, memory, serving.handlers(), serving.network(), answer);
        Asked found = new Asked(match.route(), call);
        asked = found;
        if (serving.gate().isPresent()) {
            serving.gate().get().check(call, match.route().need());
        } else {
            call.caller(Caller.TRUSTED, () -> true);
        }
        match.route().parameters().check(parameters);
        return found;
    }

    private void load(Asked found, StreamedBody.Begin begin) {
        if (!memory.body().tryGrow(StreamedBodyReader.PIECE_BYTES)) {
            refused(HttpMemory.noneLeft());
            return;
        }
        // While a piece is worked on, the silence is not the client's.
        request.addIdleTimeoutListener(silence -> false);
        work(() -> {
            try {
                StreamedBody begun = begin.of(found.call());
                load = begun;
                askForBody();
                new StreamedBodyReader(request, begun, serving.handlers(), serving.slow(), this).read();
            } catch (Exception e) {
                failed(e);
            }
        });
    }

    /** The body is read from now on. A client that sent Expect and waits gets its 100 Continue. */
    void askForBody() {
        bodyAskedFor = true;
    }

    /**
     * The whole body has arrived.
     *
     * @param awaited whether it was not there at once, so that the token may have been revoked since
     */
    void whole(byte[] body, boolean awaited) {
        Asked found = known();
        if (awaited && !isStillAllowed()) {
            completed(Access.revoked());
            return;
        }
        found.call().body(body);
        Optional<CompletionStage<?>> begun = found.route().direct().flatMap(work -> begun(work, found.call()));
        if (begun.isPresent()) {
            begun.get().whenComplete((done, failure) -> completed(failure));
        } else {
            work(this::handle);
        }
    }

    /** Whether the token is still good for the request, which may go on for hours. */
    boolean isStillAllowed() {
        return known().call().isStillAllowed();
    }

    private void work(Runnable task) {
        try {
            serving.handlers().execute(task);
        } catch (RejectedExecutionException e) {
            stopping(e);
        }
    }

    /** No thread for handlers is left. */
    void stopping(RejectedExecutionException why) {
        LOGGER.debug("A request came when the server had stopped its work", why);
        // What a load has begun cannot be waited for any more.
        refused(load == null ? STOPPING : STOPPING.typed(ProblemType.OUTCOME_UNKNOWN));
    }

    private Optional<CompletionStage<?>> begun(DirectWork work, Call call) {
        try {
            return work.begin(call);
        } catch (Exception e) {
            LOGGER.debug("Left to the handler", e);
            answer.clear();
            return Optional.empty();
        }
    }

    private void completed(@Nullable Throwable failure) {
        if (failure != null) {
            answer.problem(problem(failure));
        }
        finish();
    }

    private void handle() {
        try {
            Asked found = known();
            found.route().handler().handle(found.call());
        } catch (Throwable e) {
            completed(e);
            return;
        }
        CompletionStage<?> rest = answer.rest;
        if (rest == null) {
            finish();
        } else {
            rest.whenComplete((done, failure) -> completed(failure));
        }
    }

    /** Sends the answer; the body was read. */
    private void finish() {
        known().call().body(NO_BODY);
        endBody();
        BodyChunks pieces = answer.pieces;
        FeedPublisher follower = answer.follower;
        if (pieces != null) {
            send(pieces);
        } else if (follower != null) {
            open(follower);
        } else {
            send();
        }
    }

    private void open(FeedPublisher follower) {
        ends = true;
        chunked();
        head();
        FeedSender feed = new FeedSender(request, response, follower, serving.slow(), this);
        try {
            if (isHeadAlone()) {
                feed.end();
            } else {
                follower.open(feed);
            }
        } catch (Throwable e) {
            LOGGER.error("An answer without an end cannot be begun", e);
            feed.broken(e);
        }
    }

    /** What fails before the first piece is there can still be answered with a problem. */
    private void send(BodyChunks pieces) {
        @Nullable ByteBuffer first;
        try {
            first = pieces.next();
        } catch (Throwable e) {
            answer.problem(problem(e));
            send();
            return;
        }
        chunked();
        head();
        // What comes after the first piece would be made and thrown away, and no client would slow that down.
        sender(pieces).sendPieces(isHeadAlone() ? null : first);
    }

    private boolean isHeadAlone() {
        return request.getMethod().equals("HEAD");
    }

    private void send() {
        if (!memory.settle(answer.body.remaining())) {
            boolean done = answer.status < 300 && !READS.contains(request.getMethod());
            answer.problem(done ? HttpMemory.noneLeftForAnswer() : HttpMemory.noneLeft());
            memory.settle(answer.body.remaining());
        }
        head();
        sender(null).sendWhole(answer.body);
    }

    private AnswerSender sender(@Nullable BodyChunks pieces) {
        return new AnswerSender(request, response, pieces, serving.handlers(), serving.slow(), this);
    }

    /** Where the end of an answer is the end of its connection, its client could not see that it was broken off. */
    private void chunked() {
        if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1) {
            answer.header("Transfer-Encoding", "chunked");
        }
    }

    /** A connection that will be closed says so, for else its client would send the next request into it. */
    private void head() {
        AnswerSender.head(response, answer);
        connectionHead(ends);
    }

    /**
     * Puts what the answer says of its connection.
     *
     * @param last whether no request can come after the answer
     */
    void connectionHead(boolean last) {
        ends = last;
        kept = rest == null && !ends && serving.connections().keeps();
        if (!kept) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        } else if (request.getConnectionMetaData().isPersistent()) {
            response.getHeaders()
                    .put(HttpHeader.KEEP_ALIVE, serving.connections().keptFor());
        }
    }

    /** The body cannot be taken; at most a bounded part of the rest is read past. */
    void refused(Problem problem) {
        answer.problem(problem);
        endBody();
        ends = ends || RequestRules.endsUnclearly(request.getHeaders());
        // A client that sent Expect does not send a body that it was not asked for.
        if (bodyAskedFor || !request.getHeaders().contains(HttpHeader.EXPECT)) {
            RestReader reader = new RestReader(request, serving.slow(), restBytes());
            rest = reader.skipArrived() ? null : reader;
        }
        send();
    }

    /** The connection broke off, the client was too slow, or what it sent is no body. */
    void cut(Throwable failure) {
        cut(stopped(Failures.ofBody(failure)));
    }

    /** The rest of the body cannot be read past. */
    void cut(Problem problem) {
        answer.problem(problem);
        endBody();
        ends = true;
        send();
    }

    /** A load has taken all of its body. */
    void taken() {
        finish();
    }

    /** A load failed. */
    void failed(Throwable failure) {
        refused(stopped(problem(failure)));
    }

    private Problem stopped(Problem why) {
        try {
            return load == null ? why : load.stopped(why);
        } catch (RuntimeException e) {
            return problem(e);
        }
    }

    /** The answer is with the client. */
    void sent() {
        over();
        if (rest != null) {
            rest.skip(callback::succeeded);
        } else {
            callback.succeeded();
        }
    }

    /** The answer cannot be sent. */
    void unsent(Throwable failure) {
        over();
        callback.failed(failure);
    }

    private void over() {
        memory.close();
        if (kept) {
            kept = false;
            serving.connections().answered();
        }
    }

    private long restBytes() {
        boolean stranger = serving.gate().isPresent()
                && (asked == null || asked.call().caller().equals(Caller.ANONYMOUS));
        return stranger ? RestReader.MOST_BYTES_OF_STRANGERS : RestReader.MOST_BYTES;
    }

    private void endBody() {
        if (load != null) {
            load.close();
            load = null;
        }
        memory.body().shrinkTo(0);
    }

    private Problem problem(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Optional<Problem> own = serving.own().problem(cause);
        return own.orElseGet(() -> Failures.of(
                cause, request.getMethod() + " " + request.getHttpURI().getPath()));
    }

    private Asked known() {
        return Objects.requireNonNull(asked);
    }
}
