package dev.tidemark.worker.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Problem;
import dev.tidemark.http.Route;
import dev.tidemark.http.Security;
import dev.tidemark.http.ServiceRoutes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.explain.Explainer;
import dev.tidemark.worker.explain.GlobalReceipts;
import dev.tidemark.worker.explain.ReceiptService;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.testkit.FilmShard;
import dev.tidemark.worker.testkit.KnownFacts;
import dev.tidemark.worker.testkit.Tables;

/** The calls about single rows, over a shelf of films. */
final class RowServer implements AutoCloseable {
    final FilmShard shelf = new FilmShard();
    final KnownFacts facts = new KnownFacts();
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    RowServer() {
        RowLookup rows = new RowLookup(shelf.bench().lag(), Optional::empty);
        WaiterLimit waiting = new WaiterLimit(shelf.bench().progressSignal(), 1);
        ReceiptService receipts = new ReceiptService(
                Tables.inForce(FilmShard.catalog()),
                rows,
                waiting,
                new GlobalReceipts(
                        rows,
                        facts,
                        shard -> Progress.UNKNOWN,
                        (shard, generation) -> Optional.empty(),
                        table -> true));
        OwnerCalls owners = LoneWorker.calls(rows);
        List<Route> routes = Stream.concat(
                        new ExplainRoutes(
                                        Tables.names(Tables.inForce(FilmShard.catalog())),
                                        new Explainer(rows, facts),
                                        owners)
                                .routes().stream(),
                        new ReceiptRoutes(receipts, FilmShard::catalog, QueryLimits.USUAL, owners).routes().stream())
                .toList();
        try {
            server = HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 16, Duration.ofMillis(200)),
                    Security.none(),
                    MemoryBudget.unlimited(),
                    List::of,
                    () -> "",
                    WorkerRoutes.OPEN_API,
                    new ServiceRoutes() {
                        @Override
                        public List<Route> routes() {
                            return routes;
                        }

                        @Override
                        public Optional<Problem> problem(Throwable failure) {
                            return Refusals.of(failure);
                        }
                    });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<byte[]> get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .build();
        return WorkerServer.PUBLISHED.check(client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    }

    JsonNode json(String path) throws Exception {
        HttpResponse<byte[]> answer = get(path);
        if (answer.statusCode() != 200) {
            throw new AssertionError(new String(answer.body(), StandardCharsets.UTF_8));
        }
        return RowJson.parse(answer.body());
    }

    @Override
    public void close() {
        server.close();
    }
}
