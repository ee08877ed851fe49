package dev.tidemark.worker.http;

import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.forecast.ForecastJobs;
import dev.tidemark.worker.generation.LifecycleStates;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.RefusedRow;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.store.StoredBytes;

import static dev.tidemark.worker.http.JsonValues.seconds;

/** Writes the forecast of an index, its actual size and build time, and the rows that it cannot hold as JSON. */
public record ForecastVsActualJson(Shards shards, BuildMeter builds, ForecastJobs forecastJobs) {
    private static final int MOST_REFUSED = 32;

    /** Adds the members {@code forecast}, where there was one, {@code actual} and {@code refusedRows}. */
    void addTo(ObjectNode json, TableDefinition table, Generation generation) {
        forecastJobs.forecast(generation.definition()).ifPresent(kept -> json.set("forecast", forecast(kept)));
        ArrayNode refused = RowJson.mapper().createArrayNode();
        StoredBytes bytes = StoredBytes.NONE;
        for (OpenShard shard : shards.of(table)) {
            Optional<OpenShard.ShardSnapshot> reading = shard.readIfOpen();
            if (reading.isPresent()) {
                try (ShardView view = reading.get().view()) {
                    bytes = bytes.plus(view.approximateBytes(generation.id()));
                    view.refused(generation.id(), MOST_REFUSED - refused.size())
                            .forEach(row -> refused.add(refused(shard, row)));
                }
            }
        }
        GenerationStats stats = new LifecycleStates(shards).tally(table, generation);
        ObjectNode actual = json.putObject("actual");
        actual.put("rows", stats.rows()).put("entries", stats.entries());
        actual.put("diskBytes", bytes.files()).put("memoryBytes", bytes.memory());
        actual.put("refused", stats.refused());
        actual.put("buildSeconds", seconds(builds.took(generation.id())));
        json.set("refusedRows", refused);
    }

    private static ObjectNode forecast(ForecastJobs.Kept kept) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("rows", kept.table().rows());
        json.put("entries", kept.index().entries());
        json.put("diskBytes", kept.index().diskBytes());
        json.put("refused", kept.index().refused());
        json.put("buildSeconds", seconds(kept.index().build()));
        json.put("lookedAtPercent", kept.table().fraction() * 100);
        return json;
    }

    private static ObjectNode refused(OpenShard shard, RefusedRow row) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.set("primaryKey", QuarantineJson.key(shard.table(), row.primaryKey()));
        json.put("partition", shard.id().partition());
        json.put("version", row.version().toString());
        json.put("reason", row.reason());
        return json;
    }
}
