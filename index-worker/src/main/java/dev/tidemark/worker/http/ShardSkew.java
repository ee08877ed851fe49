package dev.tidemark.worker.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

import dev.tidemark.row.RowJson;

/** Names shards with much more rows or changes than the others of their table in their replica group. */
final class ShardSkew {
    /** A shard with more than this many times the median is named. */
    private static final double MUCH = 2;

    /** Less than this is no burden. */
    private static final double LEAST = 10;

    private static final String TABLE = "table";
    private static final String GROUP = "replicaGroup";
    private static final String PARTITION = "partition";

    private ShardSkew() {}

    private record Figure(String group, JsonNode shard, double value) {}

    /** One element for each shard and figure, by table and group. */
    static ArrayNode of(Iterable<JsonNode> workers) {
        ArrayNode skew = RowJson.mapper().createArrayNode();
        for (String figure : List.of("rows", "changesPerSecond")) {
            Map<String, List<Figure>> byTable = new TreeMap<>();
            for (JsonNode worker : workers) {
                String group = worker.path(GROUP).asText();
                for (JsonNode shard : worker.path("shards")) {
                    if (shard.path(figure).isNumber()) {
                        byTable.computeIfAbsent(shard.path(TABLE).asText() + " " + group, unseen -> new ArrayList<>())
                                .add(new Figure(group, shard, shard.path(figure).asDouble()));
                    }
                }
            }
            byTable.values().forEach(shards -> add(skew, figure, shards));
        }
        return skew;
    }

    private static void add(ArrayNode skew, String figure, List<Figure> shards) {
        List<Double> sorted = shards.stream().map(Figure::value).sorted().toList();
        double median = Math.max(1, sorted.get((sorted.size() - 1) / 2));
        for (Figure shard : shards) {
            if (shard.value() >= LEAST && shard.value() > MUCH * median) {
                skew.addObject()
                        .put(TABLE, shard.shard().path(TABLE).asText())
                        .put(PARTITION, shard.shard().path(PARTITION).asInt())
                        .put(GROUP, shard.group())
                        .put("figure", figure)
                        .put("timesMedian", Math.round(10 * shard.value() / median) / 10.0);
            }
        }
    }
}
