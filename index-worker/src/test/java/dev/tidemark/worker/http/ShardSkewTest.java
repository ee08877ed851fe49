package dev.tidemark.worker.http;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import static dev.tidemark.worker.http.JsonValues.object;
import static org.assertj.core.api.Assertions.assertThat;

class ShardSkewTest {
    @Test
    void namesAShardWithMuchMoreRowsThanTheOthersOfItsTable() {
        ArrayNode skew = ShardSkew.of(workers("rows", 100, 110, 900));
        assertThat(skew.toString())
                .isEqualTo(
                        "[{\"table\":\"people\",\"partition\":2,\"replicaGroup\":\"a\",\"figure\":\"rows\",\"timesMedian\":8.2,"
                                + "\"timesMean\":2.4,\"text\":\"people-2 of group a has 2.4 times the rows of the average shard\"}]");
    }

    @Test
    void namesAShardWithMuchMoreBytesThanTheOthersOfItsTable() {
        ArrayNode skew = ShardSkew.of(workers("bytes", 10 << 20, 12 << 20, 14 << 20, 200 << 20));
        assertThat(skew).hasSize(1);
        assertThat(skew.at("/0/figure").asText()).isEqualTo("bytes");
        assertThat(skew.at("/0/text").asText())
                .isEqualTo("people-3 of group a has 3.4 times the bytes of the average shard");
    }

    @Test
    void comparesShardsOnlyWithinTheirReplicaGroup() {
        List<JsonNode> workers = workers("changesPerSecond", 20, 20, 70, 70);
        workers.subList(2, 4).forEach(worker -> ((ObjectNode) worker).put("replicaGroup", "b"));
        assertThat(ShardSkew.of(workers)).isEmpty();
    }

    @Test
    void namesAShardThatAloneGetsChanges() {
        ArrayNode skew = ShardSkew.of(workers("changesPerSecond", 0, 40));
        assertThat(skew).hasSize(1);
        assertThat(skew.at("/0/partition").asInt()).isEqualTo(1);
        assertThat(skew.at("/0/timesMedian").asDouble()).isEqualTo(40);
    }

    @Test
    void namesNoneWhereAllAreAlikeOrSmallOrUnknown() {
        assertThat(ShardSkew.of(workers("rows", 100, 110, 190))).isEmpty();
        assertThat(ShardSkew.of(workers("rows", 0, 0, 9))).isEmpty();
        assertThat(ShardSkew.of(workers("rows", 3, 150, 499))).isEmpty();
        assertThat(ShardSkew.of(workers("changesPerSecond", 0, 0.4, 9.9))).isEmpty();
        assertThat(ShardSkew.of(workers("queriesPerSecond", 1, 1, 9_000))).isEmpty();
        assertThat(ShardSkew.of(workers("bytes", 0, 0, 9_000))).isEmpty();
        assertThat(ShardSkew.of(List.of())).isEmpty();
    }

    /** A worker for each shard. */
    private static List<JsonNode> workers(String figure, double... values) {
        List<JsonNode> workers = new ArrayList<>();
        for (double value : values) {
            ObjectNode worker = object().put("replicaGroup", "a");
            worker.putArray("shards")
                    .addObject()
                    .put("table", "people")
                    .put("partition", workers.size())
                    .put(figure, value);
            workers.add(worker);
        }
        return workers;
    }
}
