package dev.tidemark.deploy.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.NothingAnswersException;
import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/**
 * Requests to the service at {@code base}.
 *
 * @param service what the command line calls it: writer or worker
 * @param credentials what is shown to it
 */
record JsonCalls(HttpClient client, URI base, String service, ServiceClient.Credentials credentials)
        implements ServiceCalls {
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(60);

    @Override
    public JsonNode send(String method, String path, Map<String, String> headers, String body)
            throws ServiceException, InterruptedException {
        HttpRequest.Builder request = request(path).timeout(ANSWER_PATIENCE);
        headers.forEach(request::header);
        BodyPublisher content = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        return send((method.equals("GET") ? request.GET() : request.method(method, content)).build());
    }

    @Override
    public JsonNode stream(String path, Supplier<InputStream> ndjson) throws ServiceException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofInputStream(ndjson))
                .build());
    }

    private HttpRequest.Builder request(String path) throws ServiceException {
        try {
            String root = base.toString().replaceAll("/+$", "");
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(root + path)).header("Accept", "application/json");
            credentials.authorization().ifPresent(text -> request.header("Authorization", text));
            return request;
        } catch (IllegalArgumentException e) {
            throw new ServiceException(
                    "expected a URL such as http://127.0.0.1:8081 for the " + service + ", but got " + base);
        }
    }

    private JsonNode send(HttpRequest request) throws ServiceException, InterruptedException {
        HttpResponse<byte[]> response;
        try {
            response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (ConnectException e) {
            throw new NothingAnswersException("nothing answers at " + base + "; start the " + service
                    + " with: tidemark stack --data DIR --catalog FILE (or say where it is with --" + service
                    + " URL)");
        } catch (IOException e) {
            throw new ServiceException("the " + service + " at " + base + " broke off: " + e.getMessage());
        }
        JsonNode json = parse(response);
        if (response.statusCode() / 100 != 2) {
            throw new ServiceException(problem(response.statusCode(), json));
        }
        return json;
    }

    private JsonNode parse(HttpResponse<byte[]> response) throws ServiceException {
        try {
            return RowJson.parseEnvelope(response.body());
        } catch (BadJsonException e) {
            throw new ServiceException("expected JSON from the " + service + " at " + base + ", but got status "
                    + response.statusCode() + " and something else; is it a Tidemark " + service + "?");
        }
    }

    /** The problem in one line, and below it single errors, or the checks for which a service is not ready. */
    private String problem(int status, JsonNode json) {
        List<String> lines = new ArrayList<>();
        if (json.has("checks")) {
            lines.add("the " + service + " is not ready");
            for (JsonNode check : json.path("checks")) {
                if ("DOWN".equals(check.path("status").asText())) {
                    lines.add("  - " + check.path("name").asText() + ": "
                            + check.path("detail").asText("show a token to see why"));
                }
            }
            return String.join("\n", lines);
        }
        String detail = json.path("detail").asText(json.path("title").asText("no detail given"));
        lines.add("the " + service + " answered " + status + ": " + detail);
        for (JsonNode error : json.path("errors")) {
            lines.add("  - "
                    + (error.isTextual() ? error.asText() : error.path("detail").asText(error.toString())));
        }
        return String.join("\n", lines);
    }
}
