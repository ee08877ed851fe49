package dev.tidemark.change;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;

/** The value of a heartbeat: what it says beside its headers. */
final class HeartbeatJson {
    private static final String DIGESTS = "digests";
    private static final String SOURCE = "source";
    private static final String WATERMARK = "watermark";

    private HeartbeatJson() {}

    static KeyBytes write(Heartbeat heartbeat) {
        ObjectNode json = RowJson.mapper().createObjectNode().put("op", "h");
        heartbeat.source().ifPresent(mark -> {
            ObjectNode source = json.putObject(SOURCE);
            mark.watermark().ifPresent(time -> source.put(WATERMARK, time.toString()));
        });
        if (!heartbeat.digests().isEmpty()) {
            ObjectNode sums = json.putObject(DIGESTS);
            heartbeat.digests().forEach((generation, digest) -> sums.put(Long.toString(generation), digest.toString()));
        }
        return KeyBytes.wrap(RowJson.write(json));
    }

    /**
     * Reads a heartbeat, which has no digests where it has no value, or one that says nothing of them.
     *
     * @param ofSource whether it is of a table that follows a source
     */
    static Heartbeat read(WireRecord record, Instant time, RowVersion version, boolean ofSource)
            throws MalformedChangeException {
        SortedMap<Long, Digest> digests = new TreeMap<>();
        Optional<Instant> watermark = Optional.empty();
        try {
            if (record.value() != null) {
                JsonNode json = RowJson.parseEnvelope(record.value().array());
                for (Map.Entry<String, JsonNode> one : json.path(DIGESTS).properties()) {
                    digests.put(
                            Long.valueOf(one.getKey()),
                            Digest.parse(one.getValue().asText()));
                }
                watermark = Optional.ofNullable(
                                json.path(SOURCE).path(WATERMARK).textValue())
                        .map(Instant::parse);
            }
        } catch (BadJsonException | IllegalArgumentException | DateTimeException e) {
            throw new MalformedChangeException(
                    "expected digests by the numbers of generations, and a time as watermark, but " + e.getMessage());
        }
        Heartbeat plain = new Heartbeat(time, version, digests);
        return ofSource ? plain.with(new SourceMark(watermark)) : plain;
    }
}
