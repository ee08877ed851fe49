package dev.tidemark.worker.http;

import java.time.Instant;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Need;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.lifecycle.Shards;

/** {@code POST /v1/tables/{table}/pause} and {@code /resume}. Doing either twice is no different from doing it once. */
public final class PauseRoutes {
    private final Supplier<Catalog> catalog;
    private final Shards shards;

    public PauseRoutes(Supplier<Catalog> catalog, Shards shards) {
        this.catalog = catalog;
        this.shards = shards;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/v1/tables/{table}/pause", this::pause, Need.ADMIN);
        routes.post("/v1/tables/{table}/resume", this::resume, Need.ADMIN);
    }

    private void pause(Context context) {
        shards.pause(table(context));
        answer(context);
    }

    private void resume(Context context) {
        shards.resume(table(context));
        answer(context);
    }

    private void answer(Context context) {
        TableDefinition table = table(context);
        ObjectNode json = RowJson.mapper().createObjectNode().put("table", table.name());
        json.put("paused", shards.pausedSince(table).isPresent());
        json.put("since", shards.pausedSince(table).map(Instant::toString).orElse(null));
        context.result(RowJson.write(json));
    }

    private TableDefinition table(Context context) {
        String name = context.pathParam("table");
        return catalog.get()
                .table(name)
                .orElseThrow(() -> new ProblemException(Problem.notFound("expected one of the tables "
                        + catalog.get().tables().stream()
                                .map(TableDefinition::name)
                                .toList() + ", but got " + name)));
    }
}
