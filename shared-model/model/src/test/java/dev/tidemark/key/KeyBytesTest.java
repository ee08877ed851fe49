package dev.tidemark.key;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.FieldValue;

import static org.assertj.core.api.Assertions.assertThat;

final class KeyBytesTest {
    @Test
    void hashesKeysThatAreNumbersNearEachOtherApart() {
        int keys = 200_000;

        long hashes = IntStream.range(0, keys)
                .map(id -> new KeyWriter()
                        .append(new FieldValue.Num(BigDecimal.valueOf(id)), Order.ASC)
                        .toKey()
                        .hashCode())
                .distinct()
                .count();

        assertThat(hashes).isGreaterThan(keys * 999L / 1_000);
    }

    @Test
    void hasTheHashThatTheAlgorithmIsKnownFor() {
        // Of the algorithm's own test vectors: the empty string, "a" and "foobar".
        assertThat(KeyBytes.EMPTY.hashCode()).isEqualTo(0x811C9DC5);
        assertThat(KeyBytes.wrap(new byte[] {'a'}).hashCode()).isEqualTo(0xE40C292C);
        assertThat(KeyBytes.wrap("foobar".getBytes(StandardCharsets.US_ASCII)).hashCode())
                .isEqualTo(0xBF9CF968);
    }
}
