package dev.tidemark.worker.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.worker.copy.CopiedFile;
import dev.tidemark.worker.copy.CopyHead;
import dev.tidemark.worker.copy.CopyList;
import dev.tidemark.worker.copy.HeldCopies;
import dev.tidemark.worker.store.ShardOrigin;

import static dev.tidemark.worker.http.JsonValues.object;

/** A list of the files of a copy: a line for the copy, then one for each file, each a JSON object. */
final class CopyCodec {
    private static final String FILES = "files";

    private CopyCodec() {}

    static ObjectNode line(HeldCopies.Offer offer) {
        CopyHead head = offer.head();
        return object().put("copy", head.copy())
                .put("format", head.format())
                .put("topicId", head.origin().topicId())
                .put("table", head.origin().table())
                .put("nextOffset", head.nextOffset())
                .put("lastCaughtUp", head.lastCaughtUp().toString())
                .put(FILES, offer.files().size());
    }

    static ObjectNode line(CopiedFile file) {
        return object().put("name", file.name()).put("bytes", file.bytes()).put("sha256", file.sha256());
    }

    /**
     * A whole list.
     *
     * @throws IOException when some of it is lacking
     * @throws RuntimeException when it is none
     */
    static CopyList list(byte[] body) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : new String(body, StandardCharsets.UTF_8).lines().toList()) {
            lines.add(PeerClient.tree(line.getBytes(StandardCharsets.UTF_8))
                    .orElseThrow(() -> new IOException("expected a line to be a JSON object")));
        }
        JsonNode head =
                lines.stream().findFirst().orElseThrow(() -> new IOException("expected a list, but got nothing"));
        if (head.path(FILES).asInt(-1) != lines.size() - 1) {
            throw new IOException("expected " + head.path(FILES) + " files, but got " + (lines.size() - 1));
        }
        CopyHead copy = new CopyHead(
                UUID.fromString(head.path("copy").asText()).toString(),
                head.path("format").asInt(),
                new ShardOrigin(
                        head.path("topicId").asText(), head.path("table").asText()),
                head.path("nextOffset").asLong(),
                Instant.parse(head.path("lastCaughtUp").asText()));
        return new CopyList(
                copy,
                lines.subList(1, lines.size()).stream()
                        .map(file -> new CopiedFile(
                                file.path("name").asText(),
                                file.path("bytes").asLong(-1),
                                file.path("sha256").asText()))
                        .toList());
    }
}
