package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

import dev.tidemark.access.Caller;

/**
 * One request for a {@link Route}: what is asked, and the answer while it is put together. By one thread at a time.
 *
 * <p>Memory for what a call builds is reserved first: {@link #reserve}, or {@link #tryReserve} where it can do with
 * less. It is held until the answer is sent. The answer itself is counted within it.
 */
public final class Call {
    private static final byte[] NO_BODY = {};

    private final Request request;
    private final String path;
    private final Map<String, String> names;
    private final Map<String, List<String>> parameters;
    private final CallMemory memory;
    private final Executor handlers;
    private final Executor later;
    private final Answer answer;
    private Caller caller = Caller.ANONYMOUS;
    private BooleanSupplier allowed = () -> true;
    private byte[] body = NO_BODY;

    Call(
            Request request,
            Map<String, String> names,
            Map<String, List<String>> parameters,
            CallMemory memory,
            Executor handlers,
            Executor later,
            Answer answer) {
        this.request = request;
        this.path = request.getHttpURI().getPath();
        this.names = names;
        this.parameters = parameters;
        this.memory = memory;
        this.handlers = handlers;
        this.later = later;
        this.answer = answer;
    }

    public String method() {
        return request.getMethod();
    }

    /** The path as it was sent, not decoded. */
    public String path() {
        return path;
    }

    /** What stands in the path for a name of the route. */
    public String pathParam(String name) {
        String value = names.get(name);
        if (value == null) {
            throw new IllegalArgumentException("Expected a name of the route, but got " + name);
        }
        return value;
    }

    Map<String, String> pathParams() {
        return names;
    }

    /** The query as it was sent; null where there is none. */
    public @Nullable String queryString() {
        return request.getHttpURI().getQuery();
    }

    /** The parameters of the query, decoded, each with all its values. */
    public Map<String, List<String>> queryParamMap() {
        return parameters;
    }

    /** The values of a parameter. */
    public List<String> queryParams(String name) {
        return parameters.getOrDefault(name, List.of());
    }

    /** A header; where it was sent several times, all its values with commas between; null where there is none. */
    public @Nullable String header(String name) {
        List<HttpField> fields = request.getHeaders().getFields(name);
        if (fields.size() <= 1) {
            return fields.isEmpty() ? null : String.valueOf(fields.get(0).getValue());
        }
        return String.join(", ", fields.stream().map(HttpField::getValue).toList());
    }

    /** The type of the body as it was sent; null where there is none. */
    public @Nullable String contentType() {
        return request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    }

    /** The address of the client. */
    public String ip() {
        return Request.getRemoteAddr(request);
    }

    /** The whole body, which the handler may keep. */
    public byte[] body() {
        return body;
    }

    void body(byte[] whole) {
        body = whole;
    }

    /** Who makes the request. */
    public Caller caller() {
        return caller;
    }

    void caller(Caller known, BooleanSupplier still) {
        caller = known;
        allowed = still;
    }

    /** Whether the caller may still make the call: its token may have been revoked since. */
    public boolean isStillAllowed() {
        return allowed.getAsBoolean();
    }

    /** Runs what may wait, as handlers may. */
    public Executor handlers() {
        return handlers;
    }

    /** Runs what completes an answer that was begun on the network thread; what it runs must not wait. */
    public Executor later() {
        return later;
    }

    /**
     * Reserves memory for what this call is about to build.
     *
     * @throws ProblemException 503 when there is too little left
     */
    public void reserve(long bytes) {
        if (!memory.built().tryGrow(bytes)) {
            throw new ProblemException(HttpMemory.noneLeft());
        }
    }

    /**
     * Reserves memory for an answer that is about to be built. A small answer needs none here, because memory for small
     * answers is set aside.
     *
     * @param bytes that the answer and what it is made of take at most, about
     * @throws ProblemException 503 when there is too little left
     */
    public void reserveAnswer(long bytes) {
        if (bytes > HttpMemory.SMALL_BYTES) {
            reserve(bytes);
        }
    }

    /**
     * Reserves memory for what this call is about to build; false, and nothing is reserved, when there is too little
     * left.
     */
    public boolean tryReserve(long bytes) {
        return memory.built().tryGrow(bytes);
    }

    /** Most bytes that this call could reserve, while others hold nothing. */
    public long mostReservable() {
        return memory.built().most();
    }

    /** Releases reserved memory, and keeps at most the given number of bytes. */
    public void shrinkReservedTo(long bytes) {
        memory.built().shrinkTo(bytes);
    }

    /** Reserves memory for the tree that a JSON body becomes; 503 when there is too little left. */
    void reserveTree(long bytes) {
        if (!memory.body().tryGrow(bytes)) {
            throw new ProblemException(HttpMemory.noneLeft());
        }
    }

    /** The status of the answer; 200 where it is not given. */
    public Call status(int code) {
        answer.status = code;
        return this;
    }

    /** Adds a header to the answer. */
    public Call header(String name, String value) {
        answer.header(name, value);
        return this;
    }

    /** The type of the answer; JSON where it is not given. */
    public Call contentType(String type) {
        answer.type = type;
        return this;
    }

    /** The answer's body, which the answer takes over. */
    public Call result(byte[] bytes) {
        return result(ByteBuffer.wrap(bytes));
    }

    /** The answer's body, which the answer takes over. */
    public Call result(ByteBuffer bytes) {
        answer.body = bytes;
        return this;
    }

    /** The answer's body, as UTF-8. */
    public Call result(String text) {
        return result(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The answer is filled once this completes. The handler's thread is free for other calls meanwhile. */
    public void answerAfter(CompletionStage<?> rest) {
        answer.rest = rest;
    }

    /** Answers with pieces that are made while they are sent; from here on, the server closes them. */
    public void result(BodyChunks pieces) {
        answer.pieces = pieces;
    }

    /** Answers with what another thread sends, until it ends or the client goes. */
    public void result(FeedPublisher follower) {
        answer.follower = follower;
    }

    Optional<String> authorization() {
        return Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION));
    }
}
