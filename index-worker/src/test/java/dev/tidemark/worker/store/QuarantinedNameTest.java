package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;

class QuarantinedNameTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void keepsTheLongestKeyThatARowCanHaveAndCutsALongerOne() {
        KeyBytes longest = KeyBytes.wrap(new byte[TableDefinition.MAX_KEY_BYTES]);
        KeyBytes longer = KeyBytes.wrap(new byte[TableDefinition.MAX_KEY_BYTES + 1]);

        assertThat(name(longest, "")).isEqualTo(new QuarantinedName(longest, 5, "", NOON));
        assertThat(name(longer, "").key()).isEqualTo(longest);
    }

    @Test
    void cutsAReasonOfMoreThanFourHundredCharacters() {
        assertThat(name(KeyBytes.EMPTY, "r".repeat(400)).reason()).isEqualTo("r".repeat(400));
        assertThat(name(KeyBytes.EMPTY, "r".repeat(401)).reason()).isEqualTo("r".repeat(399) + "…");
    }

    private static QuarantinedName name(KeyBytes key, String reason) {
        return QuarantinedName.of(new QuarantinedRecord(5, new WireRecord(key, null, Map.of()), reason, NOON));
    }
}
