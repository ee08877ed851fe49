package dev.tidemark.writer.leader;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.catalog.DefinitionSeal;

/**
 * Encodes claims with a seal by which a writer recognises the claims of its deployment. So a process that can only
 * write into the topic cannot stop a writer.
 *
 * @param deployment whose claims these are
 */
public record ClaimSeal(String deployment, DefinitionSeal seal) {
    /** A claim as JSON, its seal included. */
    public byte[] seal(Claim claim) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("process", claim.process());
        json.put("directory", claim.directory());
        json.put("place", claim.place());
        json.put("at", claim.at().toString());
        json.put("seal", seal.of(text(claim)));
        json.put("leastEpoch", claim.leastEpoch());
        json.put("epochSeal", seal.of(textWithEpoch(claim)));
        return RowJson.write(json);
    }

    /** The claim in some JSON; empty where it is none of this deployment. */
    public Optional<Claim> open(byte[] json) {
        try {
            ObjectNode read = RowJson.parseEnvelope(json);
            Claim claim = new Claim(
                    read.path("process").asText(),
                    read.path("directory").asText(),
                    read.path("place").asText(),
                    Instant.parse(read.path("at").asText()),
                    read.path("leastEpoch").asLong());
            boolean ours = seal.isOf(text(claim), read.path("seal").asText());
            boolean withEpoch = !read.has("leastEpoch")
                    || seal.isOf(textWithEpoch(claim), read.path("epochSeal").asText());
            return ours && withEpoch ? Optional.of(claim) : Optional.empty();
        } catch (BadJsonException | DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Sealed beside the rest, so that writers of releases without epochs in claims know these claims too. */
    private String textWithEpoch(Claim claim) {
        return text(claim) + "\n" + claim.leastEpoch();
    }

    private String text(Claim claim) {
        return String.join("\n", "claim", deployment, claim.process(), claim.directory(), claim.place()) + "\n"
                + claim.at();
    }
}
