package dev.tidemark.deploy.chaos.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.drill.target.NoReplyInTimeException;
import dev.tidemark.deploy.drill.target.Reply;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** Writer and worker over HTTP. Safe for use by any thread. */
public final class HttpDrillTarget implements DrillTarget {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);
    private static final String CONTENT_TYPE = "Content-Type";

    private final URI writer;
    private final URI worker;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_PATIENCE)
            .build();

    public HttpDrillTarget(URI writer, URI worker) {
        this.writer = writer;
        this.worker = worker;
    }

    @Override
    public Reply write(String method, String table, List<String> key, JsonNode body)
            throws IOException, InterruptedException {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        String path =
                rowsOf(table) + "/" + key.stream().map(HttpServices::encode).collect(Collectors.joining(","));
        return send(request(writer, path)
                .header(CONTENT_TYPE, type)
                .method(
                        method,
                        method.equals("DELETE")
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofByteArray(RowJson.write(body))));
    }

    @Override
    public Reply load(String table, List<? extends JsonNode> lines) throws IOException, InterruptedException {
        String body = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
        return send(request(writer, rowsOf(table))
                .header(CONTENT_TYPE, "application/x-ndjson")
                .POST(BodyPublishers.ofString(body)));
    }

    @Override
    public Reply writer(String path) throws IOException, InterruptedException {
        return send(request(writer, path).GET());
    }

    @Override
    public Reply worker(String path) throws IOException, InterruptedException {
        return send(request(worker, path).GET());
    }

    @Override
    public Reply query(String index, Map<String, String> parameters) throws IOException, InterruptedException {
        String query = parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + HttpServices.encode(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return worker("/v1/indexes/" + HttpServices.encode(index) + "/entries?" + query);
    }

    @Override
    public Reply define(String catalog, String version) throws IOException, InterruptedException {
        return send(request(writer, "/v1/catalog")
                .header(CONTENT_TYPE, "application/yaml")
                .header("If-Match", "\"" + version + "\"")
                .PUT(BodyPublishers.ofString(catalog)));
    }

    private static String rowsOf(String table) {
        return "/v1/tables/" + HttpServices.encode(table) + "/rows";
    }

    private static HttpRequest.Builder request(URI base, String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(PATIENCE);
    }

    private Reply send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try {
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Reply(response.statusCode(), json(response.body()));
        } catch (HttpConnectTimeoutException e) {
            ConnectException refused = new ConnectException(e.getMessage());
            refused.initCause(e);
            throw refused;
        } catch (HttpTimeoutException e) {
            throw new NoReplyInTimeException(String.valueOf(e.getMessage()), e);
        }
    }

    private static JsonNode json(byte[] body) {
        try {
            return body.length == 0 ? MissingNode.getInstance() : RowJson.parse(body);
        } catch (BadJsonException e) {
            return MissingNode.getInstance();
        }
    }
}
