package dev.tidemark.worker.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.lag.FreshnessHistory;

/** The history of freshness as JSON: {@code [epoch seconds, seconds or null]} for each interval. */
public record HistoryJson(Supplier<Catalog> catalog, FreshnessHistory kept, Clock clock) {
    /** What the points of an index take as a tree and as text. */
    private static final long INDEX_BYTES = 64L << 10;

    /** Bytes that an answer takes while it is built, about. */
    long answerBytes() {
        return catalog.get().indexes().size() * INDEX_BYTES;
    }

    /** The answer of {@code GET /v1/history}. */
    ObjectNode history() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("intervalSeconds", FreshnessHistory.INTERVAL.toSeconds());
        json.put("now", seconds(clock.instant()));
        ArrayNode indexes = json.putArray("indexes");
        Catalog present = catalog.get();
        for (TableDefinition table : present.tables()) {
            List<FreshnessHistory.Point> points = kept.of(table.name());
            for (IndexDefinition index : table.indexes()) {
                ObjectNode one = indexes.addObject().put("index", present.publicName(index));
                add(one.putArray("points"), points);
            }
        }
        return json;
    }

    private static void add(ArrayNode list, List<FreshnessHistory.Point> points) {
        for (FreshnessHistory.Point point : points) {
            ArrayNode one = list.addArray().add(point.at().getEpochSecond());
            point.freshness().ifPresentOrElse(age -> one.add(seconds(age)), one::addNull);
        }
    }

    private static double seconds(Instant at) {
        return at.toEpochMilli() / 1e3;
    }

    private static double seconds(Duration age) {
        return age.toMillis() / 1e3;
    }
}
