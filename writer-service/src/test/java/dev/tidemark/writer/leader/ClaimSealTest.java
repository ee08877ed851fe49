package dev.tidemark.writer.leader;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClaimSealTest {
    private static final Claim CLAIM =
            new Claim("process", "directory", "place", Instant.parse("2026-01-02T03:04:05.678Z"));

    private final ClaimSeal seal = new ClaimSeal("deployment", "0123456789abcdef");

    @Test
    void opensWhatItSealed() {
        assertThat(seal.open(seal.seal(CLAIM))).contains(CLAIM);
    }

    @Test
    void believesNobodyElse() {
        byte[] sealed = seal.seal(CLAIM);
        String forged =
                new String(sealed, StandardCharsets.UTF_8).replace("\"process\":\"process\"", "\"process\":\"x\"");

        assertThat(seal.open(forged.getBytes(StandardCharsets.UTF_8))).isEmpty();
        assertThat(new ClaimSeal("deployment", "ff").open(sealed)).isEmpty();
        assertThat(new ClaimSeal("another", "0123456789abcdef").open(sealed)).isEmpty();
        assertThat(seal.open("garbage".getBytes(StandardCharsets.UTF_8))).isEmpty();
    }
}
