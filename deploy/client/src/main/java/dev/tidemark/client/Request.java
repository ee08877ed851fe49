package dev.tidemark.client;

import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request to a {@link Service}.
 *
 * @param method GET, PUT, PATCH, POST or DELETE
 * @param path with the query, encoded; begins with a slash
 * @param headers beside those that the client sets
 * @param body empty for none
 * @param kind which decides when the request is sent again
 * @param timeout until the whole answer must be there, of a stream without the time in which it is read; empty for
 *     {@link Options.Builder#requestTimeout}
 */
public record Request(
        String method,
        String path,
        Map<String, String> headers,
        Optional<BodyPublisher> body,
        Kind kind,
        Optional<Duration> timeout) {
    public Request {
        headers = Map.copyOf(headers);
    }

    /** When a request is sent again after a failure. */
    public enum Kind {
        /** Changes nothing: sent again after any failure that may pass. */
        READ,
        /** Changes something: sent again only where it was not done for certain. */
        WRITE,
        /** Changes something by a body that is read once: sent again only where nothing of it was read. */
        STREAM
    }

    /** Reads something. */
    public static Request get(String path) {
        return new Request("GET", path, Map.of(), Optional.empty(), Kind.READ, Optional.empty());
    }

    /** Changes something, without a body. */
    public static Request write(String method, String path) {
        return new Request(method, path, Map.of(), Optional.empty(), Kind.WRITE, Optional.empty());
    }

    /**
     * Sends lines as they are read, for as long as that takes. The timeout is for each time in which the service takes
     * none of them, and for the answer after the last one.
     *
     * @param ndjson opened at most once: where no service is reached before that, the next one is tried
     */
    public static Request stream(String path, Supplier<InputStream> ndjson) {
        Map<String, String> type = Map.of("Content-Type", "application/x-ndjson");
        BodyPublisher body = BodyPublishers.ofInputStream(ndjson);
        return new Request("POST", path, type, Optional.of(body), Kind.STREAM, Optional.empty());
    }

    /** The same with a body. */
    public Request with(String contentType, byte[] content) {
        Map<String, String> more = new HashMap<>(headers);
        more.put("Content-Type", contentType);
        return new Request(method, path, more, Optional.of(BodyPublishers.ofByteArray(content)), kind, timeout);
    }

    /** The same with more headers. */
    public Request with(Map<String, String> moreHeaders) {
        Map<String, String> more = new HashMap<>(headers);
        more.putAll(moreHeaders);
        return new Request(method, path, more, body, kind, timeout);
    }

    /** The same with a timeout above zero. */
    public Request within(Duration time) {
        return new Request(method, path, headers, body, kind, Optional.of(time));
    }

    /** The same request, which changes nothing in spite of its method. */
    public Request asRead() {
        return new Request(method, path, headers, body, Kind.READ, timeout);
    }

    /** Text as it stands in a part of a path or query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
