package dev.tidemark.change;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** The value of a heartbeat: what it says beside its headers. */
final class HeartbeatJson {
    private static final String DIGESTS = "digests";

    private HeartbeatJson() {}

    static KeyBytes write(SortedMap<Long, Digest> digests) {
        ObjectNode json = RowJson.mapper().createObjectNode().put("op", "h");
        if (!digests.isEmpty()) {
            ObjectNode sums = json.putObject(DIGESTS);
            digests.forEach((generation, digest) -> sums.put(Long.toString(generation), digest.toString()));
        }
        return KeyBytes.wrap(RowJson.write(json));
    }

    /** The digests of a heartbeat; none where it has no value, or one that says nothing of them. */
    static SortedMap<Long, Digest> read(WireRecord record) throws MalformedChangeException {
        SortedMap<Long, Digest> digests = new TreeMap<>();
        if (record.value() == null) {
            return digests;
        }
        try {
            JsonNode sums = RowJson.parseEnvelope(record.value().array()).path(DIGESTS);
            for (Map.Entry<String, JsonNode> one : sums.properties()) {
                digests.put(
                        Long.valueOf(one.getKey()), Digest.parse(one.getValue().asText()));
            }
            return digests;
        } catch (BadJsonException | IllegalArgumentException e) {
            throw new MalformedChangeException("expected digests by the numbers of generations, but " + e.getMessage());
        }
    }
}
