package dev.tidemark.deploy.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.client.BackupApi;
import dev.tidemark.deploy.client.BulkResult;
import dev.tidemark.deploy.client.CatalogApi;
import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.FetchedRow;
import dev.tidemark.deploy.client.IndexApi;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.RowJson;

/** Both services, and the question whether they are ready. */
public final class HttpServices implements Services, ReadinessProbe {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);
    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);
    private static final int PAGE = 1_000;

    private final HttpClient client;
    private final ServiceClient.Credentials credentials;

    /** Services that ask for nothing. */
    public HttpServices() {
        this(ServiceClient.Credentials.NONE);
    }

    private HttpServices(ServiceClient.Credentials credentials) {
        this.client = credentials.newClient(CONNECT_PATIENCE);
        this.credentials = credentials;
    }

    @Override
    public Services as(ClientIdentity identity) throws ServiceException {
        return identity.equals(ClientIdentity.NONE) ? this : new HttpServices(Identities.credentials(identity));
    }

    @Override
    public WriterApi writer(URI url) {
        return new Writer(new JsonHttp(client, url, "writer", credentials));
    }

    @Override
    public WorkerApi worker(URI url) {
        return new Worker(new JsonHttp(client, url, "worker", credentials));
    }

    @Override
    public CatalogApi catalog(URI writer) {
        return new HttpCatalog(new JsonHttp(client, writer, "writer", credentials));
    }

    @Override
    public IndexApi indexes(URI worker) {
        return new HttpIndexes(new JsonHttp(client, worker, "worker", credentials));
    }

    @Override
    public BackupApi backups(String name, URI service) {
        JsonHttp http = new JsonHttp(client, service, name, credentials);
        return () -> http.post("/v1/backup");
    }

    @Override
    public boolean isReady(URI service) {
        HttpRequest request = HttpRequest.newBuilder(service.resolve("/health/ready"))
                .timeout(PROBE_PATIENCE)
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Text as it stands in a part of a path. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private record Writer(JsonHttp http) implements WriterApi {
        @Override
        public BulkResult load(String table, Supplier<InputStream> ndjson)
                throws ServiceException, InterruptedException {
            return BulkResult.fromJson(
                    http.postNdjson(rowsOf(table), HttpRequest.BodyPublishers.ofInputStream(ndjson)));
        }

        @Override
        public List<FetchedRow> scan(String table) throws ServiceException, InterruptedException {
            List<FetchedRow> rows = new ArrayList<>();
            String first = rowsOf(table) + "?limit=" + PAGE;
            String path = first;
            while (true) {
                JsonNode page = http.get(path);
                page.path("rows").forEach(row -> rows.add(FetchedRow.fromJson(row)));
                String next = page.path("next").asText("");
                if (next.isEmpty() || page.path("next").isNull()) {
                    return rows;
                }
                path = first + "&cursor=" + encode(next);
            }
        }

        private static String rowsOf(String table) {
            return "/v1/tables/" + encode(table) + "/rows";
        }
    }

    private record Worker(JsonHttp http) implements WorkerApi {
        @Override
        public JsonNode query(QueryRequest query) throws ServiceException, InterruptedException {
            String parameters = query.parameters().stream()
                    .map(parameter -> encode(parameter.getKey()) + "=" + encode(parameter.getValue()))
                    .collect(Collectors.joining("&"));
            return http.get("/v1/indexes/" + encode(query.index()) + "/entries"
                    + (parameters.isEmpty() ? "" : "?" + parameters));
        }

        @Override
        public JsonNode lag() throws ServiceException, InterruptedException {
            return http.get("/v1/lag");
        }

        @Override
        public JsonNode explain(String index, List<String> key) throws ServiceException, InterruptedException {
            // Commas between the parts stay as they are; those within are encoded.
            String parts = key.stream().map(HttpServices::encode).collect(Collectors.joining(","));
            return http.get("/v1/indexes/" + encode(index) + "/explain?key=" + parts);
        }

        @Override
        public JsonNode receipt(String token, String wait) throws ServiceException, InterruptedException {
            return http.get("/v1/receipts/" + encode(token) + "?wait=" + encode(wait));
        }

        @Override
        public JsonNode pause(String table) throws ServiceException, InterruptedException {
            return http.post("/v1/tables/" + encode(table) + "/pause");
        }

        @Override
        public JsonNode resume(String table) throws ServiceException, InterruptedException {
            return http.post("/v1/tables/" + encode(table) + "/resume");
        }

        @Override
        public JsonNode verify(String table, Optional<String> index, boolean full, boolean repair)
                throws ServiceException, InterruptedException {
            ObjectNode order = RowJson.mapper().createObjectNode().put("table", table);
            index.ifPresent(name -> order.put("index", name));
            order.put("mode", full ? "full" : "quick").put("repair", repair);
            return http.post("/v1/verify", order);
        }

        @Override
        public JsonNode verification(String id) throws ServiceException, InterruptedException {
            return http.get("/v1/verify/" + encode(id));
        }

        @Override
        public JsonNode advice() throws ServiceException, InterruptedException {
            return http.get("/v1/advice");
        }

        @Override
        public JsonNode plan(String catalog, double percent) throws ServiceException, InterruptedException {
            return http.postYaml("/v1/plan?sample=" + percent, catalog);
        }

        @Override
        public JsonNode plan(String id) throws ServiceException, InterruptedException {
            return http.get("/v1/plan/" + encode(id));
        }
    }
}
