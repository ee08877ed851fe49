package dev.tidemark.deploy.chaos.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.NoReplyInTimeException;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;
import dev.tidemark.http.ServiceClient;

/** Calls services over HTTP. A call keeps to its patience in any state of the other process. */
public final class HttpCallers implements ServiceCallers {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);

    private final HttpClient client;
    private final ServiceClient.Credentials credentials;

    /** Calls that show nothing. */
    public HttpCallers() {
        this(ServiceClient.Credentials.NONE);
    }

    private HttpCallers(ServiceClient.Credentials credentials) {
        this.client = credentials.newClient(CONNECT_PATIENCE);
        this.credentials = credentials;
    }

    /**
     * Calls that show something.
     *
     * @throws ServiceException when a file of the identity cannot be used
     */
    public static ServiceCallers as(ClientIdentity identity) throws ServiceException {
        return new HttpCallers(HttpServices.credentials(identity));
    }

    @Override
    public ServiceCaller at(URI service, Duration patience) {
        return (method, path, headers, body) -> send(request(service, method, path, headers, body), patience);
    }

    private HttpRequest request(URI service, String method, String path, Map<String, String> headers, byte[] body)
            throws ConnectException {
        try {
            URI uri = URI.create(service.toString().replaceAll("/+$", "") + path);
            HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                    .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
            headers.forEach(request::header);
            credentials.authorization().ifPresent(text -> request.header("Authorization", text));
            return request.build();
        } catch (IllegalArgumentException e) {
            throw nothingSent("expected a URL such as http://127.0.0.1:8081, but got " + service, e);
        }
    }

    private Reply send(HttpRequest request, Duration patience) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        try {
            HttpResponse<String> response = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return new Reply(response.statusCode(), response.body());
        } catch (TimeoutException e) {
            throw new NoReplyInTimeException(
                    request.uri() + " did not answer within " + patience.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
                throw nothingSent("nothing answers at " + request.uri(), e);
            }
            throw new IOException(request.uri() + " broke off: " + cause, e);
        } finally {
            answer.cancel(true);
        }
    }

    private static ConnectException nothingSent(String message, Exception cause) {
        ConnectException refused = new ConnectException(message);
        refused.initCause(cause);
        return refused;
    }
}
