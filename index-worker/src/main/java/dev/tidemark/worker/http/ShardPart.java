package dev.tidemark.worker.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.generation.LifecycleState.State;
import dev.tidemark.worker.generation.ShardLife;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.text;

/**
 * The part of an index in one shard, as a worker reports it to another worker, beside the public part.
 *
 * @param open whether the shard is open
 * @param life what the shard says of the current generation; empty if it does not hold it yet
 * @param readySince since when the current generation is ready in it
 * @param finding the comparison by digests
 * @param previousServes whether the generation before may answer from it
 */
record ShardPart(
        boolean open,
        Optional<ShardLife> life,
        Optional<Instant> readySince,
        Optional<DigestFinding> finding,
        boolean previousServes) {
    /** A shard that is open and has not begun the generation. */
    static final ShardPart NOT_BEGUN = new ShardPart(true, Optional.empty(), Optional.empty(), Optional.empty(), false);

    /** A shard of which a worker of another version says what is not understood here. */
    private static final ShardPart UNKNOWN =
            new ShardPart(false, Optional.empty(), Optional.empty(), Optional.empty(), false);

    ObjectNode json() {
        ObjectNode json = object().put("open", open).put("previousServes", previousServes);
        json.put("readySince", text(readySince));
        life.ifPresent(known -> json.putObject("life")
                .put("state", known.state().name())
                .put("since", known.since().toString())
                .put("cause", known.cause())
                .put("refusing", known.refusing())
                .put("refused", known.refused())
                .put("serves", known.serves()));
        finding.ifPresent(known -> json.putObject("finding")
                .put("at", known.at().toString())
                .put("asOf", known.asOf().toString())
                .put("differing", known.differing()));
        return json;
    }

    static ShardPart of(JsonNode json) {
        try {
            return read(json);
        } catch (DateTimeException | IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    private static ShardPart read(JsonNode json) {
        JsonNode life = json.path("life");
        JsonNode finding = json.path("finding");
        return new ShardPart(
                json.path("open").asBoolean(),
                life.isObject()
                        ? Optional.of(new ShardLife(
                                State.valueOf(life.path("state").asText()),
                                Instant.parse(life.path("since").asText()),
                                life.path("cause").asText(),
                                life.path("refusing").asBoolean(),
                                life.path("refused").asLong(),
                                life.path("serves").asBoolean()))
                        : Optional.empty(),
                Optional.ofNullable(json.path("readySince").textValue()).map(Instant::parse),
                finding.isObject()
                        ? Optional.of(new DigestFinding(
                                RowVersion.parse(finding.path("at").asText()),
                                Instant.parse(finding.path("asOf").asText()),
                                finding.path("differing").asInt()))
                        : Optional.empty(),
                json.path("previousServes").asBoolean());
    }
}
