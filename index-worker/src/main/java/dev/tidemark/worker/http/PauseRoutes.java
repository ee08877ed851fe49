package dev.tidemark.worker.http;

import java.util.List;
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
import dev.tidemark.worker.shard.Shards;

import static dev.tidemark.worker.http.JsonValues.text;

/** {@code POST /v1/tables/{table}/pause} and {@code /resume}. Doing either twice is no different from doing it once. */
public record PauseRoutes(Supplier<Catalog> catalog, Shards shards) {
    List<Route> routes() {
        return List.of(
                Route.post("/v1/tables/{table}/pause", Permission.ADMIN, this::pause),
                Route.post("/v1/tables/{table}/resume", Permission.ADMIN, this::resume));
    }

    private void pause(Call call) {
        shards.pause(table(call));
        answer(call);
    }

    private void resume(Call call) {
        shards.resume(table(call));
        answer(call);
    }

    private void answer(Call call) {
        TableDefinition table = table(call);
        ObjectNode json = RowJson.mapper().createObjectNode().put("table", table.name());
        json.put("paused", shards.pausedSince(table).isPresent());
        json.put("since", text(shards.pausedSince(table)));
        call.result(RowJson.write(json));
    }

    private TableDefinition table(Call call) {
        String name = call.pathParam("table");
        return catalog.get()
                .table(name)
                .orElseThrow(() -> new ProblemException(Problem.notFound("expected one of the tables "
                        + catalog.get().tables().stream()
                                .map(TableDefinition::name)
                                .toList() + ", but got " + name)));
    }
}
