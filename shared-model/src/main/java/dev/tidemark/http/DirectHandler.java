package dev.tidemark.http;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers direct calls on the thread that reads the network, and hands everything else to a thread for the ordinary routes:
 * the way through them, and from one thread to another, costs more than what such a call does.
 */
final class DirectHandler extends Handler.Wrapper {
    private static final Logger LOGGER = LoggerFactory.getLogger(DirectHandler.class);

    /** Headers that change what a request asks for. */
    private static final Set<HttpHeader> UNUSUAL = EnumSet.of(
            HttpHeader.ACCEPT_ENCODING,
            HttpHeader.CONTENT_ENCODING,
            HttpHeader.EXPECT,
            HttpHeader.IF_MATCH,
            HttpHeader.IF_NONE_MATCH,
            HttpHeader.ORIGIN,
            HttpHeader.TRANSFER_ENCODING);

    /** A plain request for a call. */
    private record Asked(DirectCall call, List<String> names, Map<String, List<String>> parameters) {}

    private final List<DirectCall> calls;
    private final Optional<Gate> gate;
    private final Turns turns;

    /**
     * A handler in front of that of the ordinary routes.
     *
     * @param gate where callers have to show tokens
     * @param turns threads for what cannot be done at once
     */
    DirectHandler(List<DirectCall> calls, Optional<Gate> gate, Turns turns) {
        this.calls = List.copyOf(calls);
        this.gate = gate;
        this.turns = turns;
    }

    /** What blocks is handed to another thread. */
    @Override
    public InvocationType getInvocationType() {
        return calls.isEmpty() ? super.getInvocationType() : InvocationType.NON_BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (calls.isEmpty()) {
            return super.handle(request, response, callback);
        }
        WholeBody whole = new WholeBody(request);
        Asked asked = asked(whole);
        if (asked == null) {
            hand(whole, response, callback);
        } else {
            proceed(asked, whole, response, callback);
        }
        return true;
    }

    /** Answers once the body has arrived. */
    private void proceed(Asked asked, WholeBody whole, Response response, Callback callback) {
        switch (whole.arrival()) {
            case PART -> whole.onMore(() -> proceed(asked, whole, response, callback));
            case BROKEN -> hand(whole, response, callback);
            case WHOLE -> {
                Optional<CompletionStage<DirectAnswer>> begun = begun(asked, whole);
                if (begun.isPresent()) {
                    whole.discard();
                    begun.get().whenComplete((answer, failure) -> send(answer, failure, response, callback));
                } else {
                    hand(whole, response, callback);
                }
            }
        }
    }

    private void hand(Request request, Response response, Callback callback) {
        turns.atOnce().execute(() -> ordinary(request, response, callback));
    }

    private void ordinary(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Throwable e) {
            Response.writeError(request, response, callback, e);
        }
    }

    /** The answer that is on its way; empty for the ordinary route. */
    private Optional<CompletionStage<DirectAnswer>> begun(Asked asked, WholeBody request) {
        try {
            String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
            return asked.call()
                    .work()
                    .begin(new DirectRequest(
                            asked.names(), asked.parameters(), type, request.bytes(), turns.oneByOne()));
        } catch (Exception e) {
            LOGGER.debug("Left to the ordinary route", e);
            return Optional.empty();
        }
    }

    /** What is asked, where a request is plain; null for the ordinary route. */
    private @Nullable Asked asked(Request request) {
        for (DirectCall call : calls) {
            List<String> names = call.method().equals(request.getMethod())
                    ? call.names(request.getHttpURI().getPath())
                    : null;
            if (names != null) {
                return isPlain(call, names, request) ? asked(call, names, request) : null;
            }
        }
        return null;
    }

    private static @Nullable Asked asked(DirectCall call, List<String> names, Request request) {
        try {
            Map<String, List<String>> parameters =
                    QueryText.parameters(request.getHttpURI().getQuery());
            return parameters == null ? null : new Asked(call, names, parameters);
        } catch (IllegalArgumentException e) {
            LOGGER.debug("Left to the ordinary route", e);
            return null;
        }
    }

    private boolean isPlain(DirectCall call, List<String> names, Request request) {
        HttpFields headers = request.getHeaders();
        for (HttpField header : headers) {
            if (header.getHeader() != null && UNUSUAL.contains(header.getHeader())) {
                return false;
            }
        }
        return request.getHttpURI().getPathQuery().length() <= HttpLimits.USUAL.urlBytes()
                && request.getLength() <= call.bodyBytes()
                && (gate.isEmpty()
                        || gate.get().admits(headers.get(HttpHeader.AUTHORIZATION), call.need(), names.get(0)));
    }

    private static void send(
            @Nullable DirectAnswer answer, @Nullable Throwable failure, Response response, Callback callback) {
        if (answer == null) {
            LOGGER.error("A direct call failed", failure);
            Response.writeError(response.getRequest(), response, callback, HttpStatus.INTERNAL_SERVER_ERROR_500);
            return;
        }
        response.setStatus(answer.status());
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, answer.type());
        answer.headers().forEach(headers::put);
        headers.put(HttpHeader.CONTENT_LENGTH, answer.body().remaining());
        response.write(true, answer.body(), callback);
    }
}
