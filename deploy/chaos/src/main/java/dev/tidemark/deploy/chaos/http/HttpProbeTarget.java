package dev.tidemark.deploy.chaos.http;

import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.http.Identities;
import dev.tidemark.deploy.probe.NoAnswerException;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.probe.WorkerTarget;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;

/**
 * Writer and workers over HTTP. No call takes longer than the patience, in any state of the other process: the bound
 * includes the body of the answer.
 */
public final class HttpProbeTarget implements ProbeTarget {
    private final HttpClient client;
    private final URI writer;
    private final List<WorkerTarget> workers;
    private final ServiceClient.Credentials credentials;
    private final Duration patience;

    private HttpProbeTarget(
            HttpClient client,
            URI writer,
            List<URI> workers,
            ServiceClient.Credentials credentials,
            Duration patience) {
        this.client = client;
        this.credentials = credentials;
        this.writer = writer;
        this.workers = workers.stream().<WorkerTarget>map(Worker::new).toList();
        this.patience = patience;
    }

    /** All of them at those URLs; nothing is connected yet. */
    public static ProbeTarget at(URI writer, List<URI> workers, Duration patience) {
        return at(writer, workers, ServiceClient.Credentials.NONE, patience);
    }

    /**
     * The same, for who shows something.
     *
     * @throws ServiceException when a file of the identity cannot be used
     */
    public static ProbeTarget at(URI writer, List<URI> workers, ClientIdentity identity, Duration patience)
            throws ServiceException {
        return at(writer, workers, Identities.credentials(identity), patience);
    }

    private static ProbeTarget at(
            URI writer, List<URI> workers, ServiceClient.Credentials credentials, Duration patience) {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(patience);
        credentials.tls().ifPresent(client::sslContext);
        return new HttpProbeTarget(client.build(), writer, workers, credentials, patience);
    }

    @Override
    public JsonNode tables() throws NoAnswerException, InterruptedException {
        return json(get(writer, "/v1/tables"));
    }

    @Override
    public RowVersion put(String table, List<String> key, ObjectNode row)
            throws NoAnswerException, InterruptedException {
        HttpRequest.Builder request = request(writer, rowPath(table, key))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(RowJson.write(row)));
        String version = json(send(request)).path("version").asText();
        try {
            return RowVersion.parse(version);
        } catch (IllegalArgumentException e) {
            throw new NoAnswerException("the writer answered a write with version " + version, false);
        }
    }

    @Override
    public void delete(String table, List<String> key) throws NoAnswerException, InterruptedException {
        send(request(writer, rowPath(table, key)).DELETE());
    }

    @Override
    public String writerMetrics() throws NoAnswerException, InterruptedException {
        return text(get(writer, "/metrics"));
    }

    @Override
    public Instant commitClock() throws NoAnswerException, InterruptedException {
        String now = json(get(writer, "/v1/clock")).path("now").asText();
        try {
            return Instant.parse(now);
        } catch (DateTimeParseException e) {
            throw new NoAnswerException("the writer says that its clock shows " + now, false);
        }
    }

    @Override
    public List<WorkerTarget> workers() {
        return workers;
    }

    /** One worker at its URL. */
    private final class Worker implements WorkerTarget {
        private final URI url;

        Worker(URI url) {
            this.url = url;
        }

        @Override
        public JsonNode query(String index, Map<String, String> parameters)
                throws NoAnswerException, InterruptedException {
            String query = parameters.entrySet().stream()
                    .map(parameter -> encode(parameter.getKey()) + "=" + encode(parameter.getValue()))
                    .collect(Collectors.joining("&"));
            return json(get(url, "/v1/indexes/" + encode(index) + "/entries?" + query));
        }

        @Override
        public JsonNode lag() throws NoAnswerException, InterruptedException {
            return json(get(url, "/v1/lag"));
        }

        @Override
        public String metrics() throws NoAnswerException, InterruptedException {
            return text(get(url, "/metrics"));
        }
    }

    private byte[] get(URI service, String path) throws NoAnswerException, InterruptedException {
        return send(request(service, path).GET());
    }

    private HttpRequest.Builder request(URI service, String path) throws NoAnswerException {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(service.toString().replaceAll("/+$", "") + path));
            credentials.authorization().ifPresent(text -> request.header("Authorization", text));
            return request;
        } catch (IllegalArgumentException e) {
            throw new NoAnswerException("expected a URL such as http://127.0.0.1:8081, but got " + service, true);
        }
    }

    private byte[] send(HttpRequest.Builder builder) throws NoAnswerException, InterruptedException {
        HttpRequest request = builder.build();
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
        try {
            HttpResponse<byte[]> response = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            int status = response.statusCode();
            if (status / 100 != 2) {
                throw new NoAnswerException(
                        request.uri() + " answered " + status + ": " + text(response.body()), status / 100 == 4);
            }
            return response.body();
        } catch (TimeoutException e) {
            throw new NoAnswerException(request.uri() + " did not answer within " + patience.toMillis() + " ms", false);
        } catch (ExecutionException e) {
            boolean neverSent = e.getCause() instanceof ConnectException;
            throw new NoAnswerException(
                    neverSent ? "nothing answers at " + request.uri() : request.uri() + " broke off: " + e.getCause(),
                    neverSent);
        } finally {
            answer.cancel(true);
        }
    }

    private static JsonNode json(byte[] body) throws NoAnswerException {
        try {
            return RowJson.parseEnvelope(body);
        } catch (BadJsonException e) {
            throw new NoAnswerException("expected JSON, but got something else; is it a Tidemark service?", false);
        }
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }

    private static String rowPath(String table, List<String> key) {
        return "/v1/tables/" + encode(table) + "/rows/"
                + key.stream().map(HttpProbeTarget::encode).collect(Collectors.joining(","));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
