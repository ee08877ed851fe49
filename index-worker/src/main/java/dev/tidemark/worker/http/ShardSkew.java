package dev.tidemark.worker.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

import dev.tidemark.row.RowJson;
import dev.tidemark.worker.store.ShardId;

/** Names shards with much more rows, bytes or changes than the others of their table in their replica group. */
final class ShardSkew {
    /** A shard with more than this many times the median is named. The mean would be moved by one hot shard. */
    private static final double MUCH = 2;

    private static final String GROUP = "replicaGroup";
    private static final String PARTITION = "partition";

    private ShardSkew() {}

    /** What of a shard is compared. */
    private enum Figure {
        ROWS("rows", "rows", 500),
        /** Less differs by what is not written to files or not compacted yet. */
        BYTES("bytes", "bytes", 64 << 20),
        CHANGES("changesPerSecond", "changes", 10);

        private final String member;
        private final String word;

        /** Less than this is no burden. */
        private final double least;

        Figure(String member, String word, double least) {
            this.member = member;
            this.word = word;
            this.least = least;
        }
    }

    private record Measured(String group, JsonNode shard, double value) {}

    /** One element for each shard and figure, by table and group. */
    static ArrayNode of(Iterable<JsonNode> workers) {
        ArrayNode skew = RowJson.mapper().createArrayNode();
        for (Figure figure : Figure.values()) {
            Map<String, List<Measured>> byTable = new TreeMap<>();
            for (JsonNode worker : workers) {
                String group = worker.path(GROUP).asText();
                for (JsonNode shard : worker.path("shards")) {
                    JsonNode value = shard.path(figure.member);
                    if (value.isNumber()) {
                        byTable.computeIfAbsent(WorkersJson.table(shard) + " " + group, unseen -> new ArrayList<>())
                                .add(new Measured(group, shard, value.asDouble()));
                    }
                }
            }
            byTable.values().forEach(shards -> add(skew, figure, shards));
        }
        return skew;
    }

    private static void add(ArrayNode skew, Figure figure, List<Measured> shards) {
        List<Double> sorted = shards.stream().map(Measured::value).sorted().toList();
        double median = Math.max(1, sorted.get((sorted.size() - 1) / 2));
        double mean = shards.stream().mapToDouble(Measured::value).average().orElse(0);
        for (Measured one : shards) {
            if (one.value() >= figure.least && one.value() > MUCH * median) {
                String table = WorkersJson.table(one.shard());
                int partition = one.shard().path(PARTITION).asInt();
                double timesMean = times(one.value(), mean);
                WorkersJson.put(skew.addObject(), new ShardId(table, partition))
                        .put(GROUP, one.group())
                        .put("figure", figure.member)
                        .put("timesMedian", times(one.value(), median))
                        .put("timesMean", timesMean)
                        .put(
                                "text",
                                String.format(
                                        Locale.ROOT,
                                        "%s-%d of group %s has %.1f times the %s of the average shard",
                                        table,
                                        partition,
                                        one.group(),
                                        timesMean,
                                        figure.word));
            }
        }
    }

    private static double times(double value, double usual) {
        return Math.round(10 * value / usual) / 10.0;
    }
}
