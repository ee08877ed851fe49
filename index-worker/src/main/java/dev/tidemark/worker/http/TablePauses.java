package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Route;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.worker.shard.Shards;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.text;

/**
 * Pauses and resumes a table in the definitions, which all workers follow. Doing either twice is no different from
 * doing it once.
 */
public record TablePauses(Shards shards, Orders orders, Supplier<Catalog> catalog) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration STEP = Duration.ofMillis(20);

    /** Changes the definitions. */
    @FunctionalInterface
    public interface Orders {
        /**
         * Pauses or resumes a table.
         *
         * @param memory reserves a number of bytes before they are read, or throws
         * @return the version of the definitions in which it is so
         */
        long pause(String table, boolean paused, LongConsumer memory) throws InterruptedException;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/v1/tables/{table}/pause", Permission.ADMIN, call -> change(call, true)),
                Route.post("/v1/tables/{table}/resume", Permission.ADMIN, call -> change(call, false)));
    }

    private void change(Call call, boolean paused) throws InterruptedException {
        String name = call.pathParam("table");
        List<String> names =
                catalog.get().tables().stream().map(TableDefinition::name).toList();
        TableDefinition table = catalog.get()
                .table(name)
                .orElseThrow(() -> new ProblemException(
                        Problem.notFound("expected one of the tables " + names + ", but got " + name)));
        long version = orders.pause(name, paused, call::reserve);
        if (!BoundedWait.until(() -> shards.definitions().version() >= version, PATIENCE, STEP)) {
            throw new ProblemException(Problem.retryable(
                    503,
                    "Definitions are not followed yet",
                    "version " + version + " of the definitions, in which it is so, has not come to this worker yet",
                    RETRY_AFTER));
        }
        ObjectNode json = object().put("table", name);
        json.put("paused", shards.pausedSince(table).isPresent());
        call.result(RowJson.write(json.put("since", text(shards.pausedSince(table)))));
    }
}
