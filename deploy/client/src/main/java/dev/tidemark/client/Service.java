package dev.tidemark.client;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLHandshakeException;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.client.Request.Kind;

/**
 * A service at one URL or several equal ones. Sends any request, and returns the answer as JSON.
 *
 * <p>A call begins with the URL that answered last. After a failure that may pass, it goes on with the next URL at
 * once. When it has tried all URLs it pauses: as long as {@code Retry-After} states, and a random time that doubles
 * with each pause. After one attempt at each URL, none begins later than {@link Options.Builder#retryFor} after the
 * first.
 *
 * <p>A read is sent again after any failure that may pass. A write is sent again only where it certainly was not done:
 * no connection came about, or the service answered 429, or 503 with a problem that says so. When no answer comes,
 * the write may have been done. To send it again could fail its own condition or undo the write of another client, so
 * {@link TidemarkException.OutcomeUnknown} is thrown.
 */
public final class Service {
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final int DOUBLINGS = 6;

    private final List<URI> urls;
    private final Options options;
    private final Supplier<HttpClient> client;
    private final Timing timing;

    /** Index of the URL that answered last. */
    private final AtomicInteger preferred = new AtomicInteger();

    Service(List<URI> urls, Options options, Supplier<HttpClient> client, Timing timing) {
        this.urls = List.copyOf(urls);
        this.options = options;
        this.client = client;
        this.timing = timing;
    }

    /**
     * Reads something.
     *
     * @throws TidemarkException as {@link #send}
     */
    public JsonNode get(String path) {
        return send(Request.get(path));
    }

    /**
     * Sends a request.
     *
     * @return the answer, an object
     * @throws TidemarkException when no attempt succeeded
     */
    public JsonNode send(Request request) {
        try {
            return attempts(request).body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TidemarkException.Interrupted(e);
        }
    }

    private Answer attempts(Request request) throws InterruptedException {
        long start = timing.nanos();
        int first = preferred.get();
        Map<URI, Attempt> last = new LinkedHashMap<>();
        Duration asked = Duration.ZERO;
        for (int tries = 1; ; tries++) {
            int at = (first + tries - 1) % urls.size();
            Attempt attempt = attempt(urls.get(at), request);
            last.remove(urls.get(at));
            last.put(urls.get(at), attempt);
            if (attempt instanceof Attempt.Answered answered) {
                if (answered.answer().isSuccess()) {
                    preferred.set(at);
                    return answered.answer();
                }
                Duration after = answered.answer().retryAfter(timing.now()).orElse(Duration.ZERO);
                asked = asked.compareTo(after) > 0 ? asked : after;
            }
            boolean round = tries % urls.size() == 0;
            Duration pause = round ? asked.plus(backoff(tries / urls.size())) : Duration.ZERO;
            Duration passed = Duration.ofNanos(timing.nanos() - start);
            if (!attempt.mayRepeat(request.kind())) {
                throw failure(attempt, last.values(), request.kind());
            }
            boolean late = passed.plus(pause).compareTo(options.retryFor()) >= 0;
            if (tries >= urls.size() && (late || (round && isUntrusted(last.values())))) {
                throw failure(mostTelling(attempt, last.values()), last.values(), request.kind());
            }
            if (round) {
                timing.sleep(pause);
                asked = Duration.ZERO;
            }
        }
    }

    private static boolean isUntrusted(Collection<Attempt> last) {
        return last.stream().allMatch(one -> one instanceof Attempt.NotSent notSent && notSent.isUntrusted());
    }

    /** An answer says more than that there was none. */
    private static Attempt mostTelling(Attempt attempt, Collection<Attempt> last) {
        return last.stream()
                .filter(Attempt.Answered.class::isInstance)
                .reduce((earlier, later) -> later)
                .orElse(attempt);
    }

    /** With the last failures at the other URLs. */
    private static TidemarkException failure(Attempt attempt, Collection<Attempt> last, Kind kind) {
        TidemarkException failure = attempt.failure(kind);
        last.stream().filter(other -> other != attempt).forEach(other -> failure.addSuppressed(other.failure(kind)));
        return failure;
    }

    /** Between half and all of a time that doubles with each round, so that clients do not come all at once. */
    private Duration backoff(int round) {
        long most = FIRST_PAUSE_MILLIS << Math.min(round - 1, DOUBLINGS);
        return Duration.ofMillis((long) (most * (0.5 + timing.random() / 2)));
    }

    private Attempt attempt(URI url, Request request) throws InterruptedException {
        Duration time = request.timeout().orElse(options.requestTimeout());
        BodyPublisher whole = request.body().orElseGet(BodyPublishers::noBody);
        StreamedBody streamed = new StreamedBody(whole, timing);
        BodyPublisher body = request.kind() == Kind.STREAM ? streamed : whole;
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.get().sendAsync(httpRequest(url, request, body), BodyHandlers.ofByteArray());
        try {
            HttpResponse<byte[]> response = request.kind() == Kind.STREAM
                    ? await(answer, time, streamed)
                    : answer.get(time.toMillis(), TimeUnit.MILLISECONDS);
            return new Attempt.Answered(Answer.of(url, response));
        } catch (TimeoutException e) {
            String limit = time.toString().substring(2).toLowerCase(Locale.ROOT);
            String lacking = request.kind() == Kind.STREAM ? "no progress and no answer" : "no whole answer";
            return new Attempt.BrokenOff(url, new TimeoutException(lacking + " within " + limit));
        } catch (ExecutionException e) {
            return failed(url, e, streamed.isOpened());
        } finally {
            answer.cancel(true);
        }
    }

    /** A load takes as long as its source does; the time is for the service alone. */
    private static HttpResponse<byte[]> await(
            CompletableFuture<HttpResponse<byte[]>> answer, Duration time, StreamedBody streamed)
            throws InterruptedException, ExecutionException, TimeoutException {
        while (true) {
            long left = time.minus(streamed.waited()).toNanos();
            try {
                return answer.get(Math.max(left, 1), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (streamed.waited().compareTo(time) >= 0) {
                    throw e;
                }
            }
        }
    }

    private static Attempt failed(URI url, ExecutionException e, boolean spent) {
        Exception cause = e.getCause() instanceof Exception known ? known : e;
        boolean notSent = cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof SSLHandshakeException;
        // In TLS 1.3 a service may refuse the certificate of the client when that has begun to send.
        return notSent && !spent ? new Attempt.NotSent(url, cause) : new Attempt.BrokenOff(url, cause);
    }

    private HttpRequest httpRequest(URI url, Request request, BodyPublisher body) {
        String root = url.toString().replaceAll("/+$", "");
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(root + request.path()))
                .method(request.method(), body)
                .header("Accept", "application/json");
        request.headers().forEach(builder::header);
        options.token().ifPresent(token -> builder.header("Authorization", "Bearer " + Options.token(token.get())));
        return builder.build();
    }

    /** The URLs. */
    @Override
    public String toString() {
        return urls.stream().map(URI::toString).collect(Collectors.joining(", "));
    }
}
