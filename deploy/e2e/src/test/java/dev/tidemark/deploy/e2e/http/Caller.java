package dev.tidemark.deploy.e2e.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** Requests to one service. Safe for use by any thread. Nothing is retried. */
public final class Caller {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final URI base;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    public Caller(URI base) {
        this.base = base;
    }

    public URI base() {
        return base;
    }

    public Answer get(String path) throws IOException, InterruptedException {
        return exchange("GET", path, BodyPublishers.noBody(), Map.of());
    }

    /** Sends a request with a text as body. */
    public Answer send(String method, String path, String body, Map<String, String> headers)
            throws IOException, InterruptedException {
        BodyPublisher publisher = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        return exchange(method, path, publisher, headers);
    }

    /** Streams a body of unknown length. */
    public Answer upload(String method, String path, Supplier<InputStream> body, Map<String, String> headers)
            throws IOException, InterruptedException {
        return exchange(method, path, BodyPublishers.ofInputStream(body), headers);
    }

    /** Percent-encodes a path segment or a query value. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Sends and waits.
     *
     * @throws ConnectException when nothing was sent
     * @throws IOException when what became of the request is not known
     */
    private Answer exchange(String method, String path, BodyPublisher body, Map<String, String> headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(PATIENCE)
                .method(method, body);
        headers.forEach(request::header);
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
            return new Answer(
                    method + " " + path,
                    response.statusCode(),
                    response.headers().map(),
                    response.body());
        } catch (HttpConnectTimeoutException e) {
            ConnectException refused = new ConnectException(method + " " + path + ": " + e.getMessage());
            refused.initCause(e);
            throw refused;
        }
    }
}
