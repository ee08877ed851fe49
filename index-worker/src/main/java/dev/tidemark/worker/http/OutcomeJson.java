package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.build.BuildMeter;
import dev.tidemark.worker.life.Lives;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;
import dev.tidemark.worker.plan.Forecasts;
import dev.tidemark.worker.plan.RehearsalDesk;
import dev.tidemark.worker.store.RefusedRow;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.store.StoredBytes;
import dev.tidemark.worker.store.Tally;

/** What came of an index, beside what was forecast of it, and the rows that it cannot hold. */
public final class OutcomeJson {
    private static final int MOST_REFUSED = 32;

    private final Shards shards;
    private final Lives lives;
    private final BuildMeter builds;
    private final RehearsalDesk rehearsals;

    public OutcomeJson(Shards shards, BuildMeter builds, RehearsalDesk rehearsals) {
        this.shards = shards;
        this.lives = new Lives(shards);
        this.builds = builds;
        this.rehearsals = rehearsals;
    }

    /** Adds the members {@code forecast}, where there was one, {@code actual} and {@code refusedRows}. */
    void addTo(ObjectNode json, TableDefinition table, Generation generation) {
        rehearsals.forecast(generation.definition()).ifPresent(kept -> json.set("forecast", forecast(kept)));
        ArrayNode refused = RowJson.mapper().createArrayNode();
        StoredBytes bytes = StoredBytes.NONE;
        for (LiveShard shard : shards.of(table)) {
            Optional<LiveShard.Reading> reading = read(shard);
            if (reading.isPresent()) {
                try (ShardView view = reading.get().view()) {
                    bytes = bytes.plus(view.approximateBytes(generation.id()));
                    view.refused(generation.id(), MOST_REFUSED - refused.size())
                            .forEach(row -> refused.add(refused(shard, row)));
                }
            }
        }
        Tally tally = lives.tally(table, generation);
        ObjectNode actual = json.putObject("actual");
        actual.put("rows", tally.rows()).put("entries", tally.entries());
        actual.put("diskBytes", bytes.files()).put("memoryBytes", bytes.memory());
        actual.put("refused", tally.refused());
        actual.put(
                "buildSeconds",
                builds.took(generation.id()).map(OutcomeJson::seconds).orElse(null));
        json.set("refusedRows", refused);
    }

    private static ObjectNode forecast(Forecasts.Kept kept) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("rows", kept.table().rows());
        json.put("entries", kept.index().entries());
        json.put("diskBytes", kept.index().diskBytes());
        json.put("refused", kept.index().refused());
        json.put("buildSeconds", seconds(kept.index().build()));
        json.put("lookedAtPercent", kept.table().fraction() * 100);
        return json;
    }

    private static ObjectNode refused(LiveShard shard, RefusedRow row) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.set("primaryKey", QuarantineJson.key(shard.table(), row.primaryKey()));
        json.put("partition", shard.id().partition());
        json.put("version", row.version().toString());
        json.put("reason", row.reason());
        return json;
    }

    private static Optional<LiveShard.Reading> read(LiveShard shard) {
        try {
            return shard.read();
        } catch (ShardClosedException e) {
            return Optional.empty();
        }
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
