package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.advise.HeavyKeys;
import dev.tidemark.worker.advise.Usage;
import dev.tidemark.worker.advise.UsageElsewhere;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * Reads what other workers have counted. Queries count wherever they were asked, updates only in this worker's replica
 * group: every other group applies the same ones.
 */
public record PeerUsage(GroupParts group) implements UsageElsewhere {
    static final String PATH = "/v1/peer/usage";

    private static final String WATCHED = "watchedSeconds";

    @Override
    public Counted read() {
        Set<URI> own = group.routes().groupMembers();
        Set<URI> others = group.routes().others();
        others.removeAll(own);
        List<JsonNode> near = group.read(own, PATH);
        List<JsonNode> far = group.read(others, PATH);
        Map<Long, Usage> sums = new HashMap<>();
        near.forEach(answer -> add(sums, answer, true));
        far.forEach(answer -> add(sums, answer, false));
        Duration watched = Stream.concat(near.stream(), far.stream())
                .map(PeerUsage::watched)
                .min(Duration::compareTo)
                .orElse(NONE.read().watched());
        return new Counted(sums, watched, own.size() + others.size() - near.size() - far.size());
    }

    private static Duration watched(JsonNode answer) {
        return Duration.ofSeconds(answer.path(WATCHED).asLong());
    }

    private static void add(Map<Long, Usage> sums, JsonNode answer, boolean updates) {
        for (JsonNode one : answer.path("generations")) {
            Usage usage = new Usage(
                    one.path("queries").asLong(),
                    one.path("fetches").asLong(),
                    updates ? one.path("updates").asLong() : 0,
                    updates ? one.path("moved").asLong() : 0,
                    watched(answer),
                    updates ? heavyKeys(one) : HeavyKeys.NONE);
            sums.merge(one.path("generation").asLong(), usage, Usage::plus);
        }
    }

    private static HeavyKeys heavyKeys(JsonNode json) {
        Map<KeyBytes, Long> times = new HashMap<>();
        for (JsonNode key : json.path("heavyKeys")) {
            byte[] bytes = Base64.getDecoder().decode(key.path("key").asText());
            times.put(KeyBytes.wrap(bytes), key.path("times").asLong());
        }
        return new HeavyKeys(json.path("sampled").asLong(), json.path("values").asInt(), times);
    }

    /** What a worker has counted, for another one to read. */
    static ObjectNode json(Map<Long, Usage> counted, Duration watched) {
        ObjectNode json = object().put(WATCHED, watched.toSeconds());
        ArrayNode generations = json.putArray("generations");
        counted.forEach((id, usage) -> {
            HeavyKeys keys = usage.keys().withoutLight();
            ObjectNode one = generations
                    .addObject()
                    .put("generation", id)
                    .put("queries", usage.queries())
                    .put("fetches", usage.fetches())
                    .put("updates", usage.updates())
                    .put("moved", usage.moved())
                    .put("sampled", keys.sampled())
                    .put("values", keys.values());
            ArrayNode heavy = one.putArray("heavyKeys");
            keys.times()
                    .forEach((key, times) ->
                            heavy.addObject().put("key", key.array()).put("times", times));
        });
        return json;
    }
}
