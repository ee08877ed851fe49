package dev.tidemark.worker.http;

import java.time.Duration;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;
import dev.tidemark.worker.backfill.BuildProgress;

/** Writes the progress of a build as JSON. An unknown value is null. */
final class BuildJson {
    private BuildJson() {}

    static ObjectNode of(BuildProgress progress) {
        return RowJson.mapper()
                .createObjectNode()
                .put("rowsDone", progress.rowsDone())
                .put("rowsTotal", progress.rowsTotal())
                .put("rowsPerSecond", progress.rowsPerSecond().orElse(null))
                .put("etaSeconds", progress.eta().map(BuildJson::seconds).orElse(null));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
