package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Route;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.shard.Shards;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.text;

/** Pauses and resumes a table on all workers. Doing either twice is no different from doing it once. */
public record TablePauses(Shards shards, ShardRoutes group, PeerClient peers, Supplier<Catalog> catalog) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final String PAUSE = "/pause";
    private static final String RESUME = "/resume";
    private static final String HERE = "/v1/peer/tables/";

    List<Route> routes() {
        String all = "/v1/tables/{table}";
        String here = HERE + "{table}";
        return List.of(
                Route.post(all + PAUSE, Permission.ADMIN, call -> everywhere(call, PAUSE, shards::pause)),
                Route.post(all + RESUME, Permission.ADMIN, call -> everywhere(call, RESUME, shards::resume)),
                Route.post(here + PAUSE, Permission.PEER, call -> change(call, shards::pause)),
                Route.post(here + RESUME, Permission.PEER, call -> change(call, shards::resume)));
    }

    private void everywhere(Call call, String order, Consumer<TableDefinition> change) {
        change(call, change);
        Map<URI, CompletableFuture<Optional<JsonNode>>> asked = new TreeMap<>();
        String path = HERE + call.pathParam("table") + order;
        group.others().forEach(worker -> asked.put(worker, peers.order(worker, path)));
        List<String> silent = asked.entrySet().stream()
                .filter(answer -> answer.getValue().join().isEmpty())
                .map(answer -> answer.getKey().toString())
                .toList();
        if (!silent.isEmpty()) {
            throw new ProblemException(Problem.retryable(
                    503,
                    "Not all workers answer",
                    "expected every worker to take the order, but " + String.join(", ", silent)
                            + " did not answer; the others have taken it, and asking again does no harm",
                    RETRY_AFTER));
        }
    }

    private void change(Call call, Consumer<TableDefinition> change) {
        String name = call.pathParam("table");
        List<String> names =
                catalog.get().tables().stream().map(TableDefinition::name).toList();
        TableDefinition table = catalog.get()
                .table(name)
                .orElseThrow(() -> new ProblemException(
                        Problem.notFound("expected one of the tables " + names + ", but got " + name)));
        change.accept(table);
        ObjectNode json = object().put("table", name);
        json.put("paused", shards.pausedSince(table).isPresent());
        call.result(RowJson.write(json.put("since", text(shards.pausedSince(table)))));
    }
}
