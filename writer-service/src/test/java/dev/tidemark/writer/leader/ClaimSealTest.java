package dev.tidemark.writer.leader;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.writer.catalog.DefinitionSeal;

import static dev.tidemark.writer.testkit.TestTables.json;
import static org.assertj.core.api.Assertions.assertThat;

class ClaimSealTest {
    private static final Claim CLAIM =
            new Claim("process", "directory", "place", Instant.parse("2026-01-02T03:04:05.678Z"), 7);

    private final ClaimSeal seal = new ClaimSeal("deployment", new DefinitionSeal("0123456789abcdef"));

    @Test
    void opensWhatItSealed() {
        assertThat(seal.open(seal.seal(CLAIM))).contains(CLAIM);
    }

    @Test
    void opensAClaimOfAReleaseWithoutEpochs() {
        String sealed = text(CLAIM);
        byte[] old = (sealed.substring(0, sealed.indexOf(",\"leastEpoch\"")) + "}").getBytes(StandardCharsets.UTF_8);

        assertThat(seal.open(old)).contains(new Claim("process", "directory", "place", CLAIM.at(), 0));
    }

    @Test
    void whatItSealsIsThereForAReleaseWithoutEpochs() {
        Claim without = new Claim("process", "directory", "place", CLAIM.at(), 0);

        assertThat(sealIn(text(CLAIM))).isEqualTo(sealIn(text(without)));
    }

    @Test
    void believesNoOtherEpoch() {
        String sealed = text(CLAIM);

        for (String other : List.of("0", "8", "-1")) {
            String forged = sealed.replace("\"leastEpoch\":7", "\"leastEpoch\":" + other);
            assertThat(seal.open(forged.getBytes(StandardCharsets.UTF_8))).isEmpty();
        }
    }

    private String text(Claim claim) {
        return new String(seal.seal(claim), StandardCharsets.UTF_8);
    }

    private static String sealIn(String sealed) {
        return json(sealed).path("seal").asText();
    }

    @Test
    void believesNobodyElse() {
        byte[] sealed = seal.seal(CLAIM);
        String forged =
                new String(sealed, StandardCharsets.UTF_8).replace("\"process\":\"process\"", "\"process\":\"x\"");

        assertThat(seal.open(forged.getBytes(StandardCharsets.UTF_8))).isEmpty();
        assertThat(new ClaimSeal("deployment", new DefinitionSeal("ff")).open(sealed))
                .isEmpty();
        assertThat(new ClaimSeal("another", new DefinitionSeal("0123456789abcdef")).open(sealed))
                .isEmpty();
        assertThat(seal.open("garbage".getBytes(StandardCharsets.UTF_8))).isEmpty();
    }
}
