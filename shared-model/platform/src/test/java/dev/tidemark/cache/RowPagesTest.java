package dev.tidemark.cache;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.whitfin.siphash.SipHasher;
import io.whitfin.siphash.SipHasherContainer;
import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;

class RowPagesTest {
    private static final int STAGES = 12;

    @Test
    void hasTheHashThatTheAlgorithmIsKnownFor() {
        // Secret and messages 00 01 02 ..., as in the test vectors of the algorithm.
        SipHasherContainer hash = SipHasher.container(counted(16));

        assertThat(hash.hash(new byte[0], 1, 3)).isEqualTo(0xabac0158050fc4dcL);
        assertThat(hash.hash(counted(1), 1, 3)).isEqualTo(0xc9f49bf37d57ca93L);
        assertThat(hash.hash(counted(8), 1, 3)).isEqualTo(0x369095118d299a8eL);
        assertThat(hash.hash(counted(15), 1, 3)).isEqualTo(0xd320d86d2a519956L);
    }

    @Test
    void keysMadeToCollideStandApartInTheCache() {
        List<byte[]> keys = colliding();

        assertThat(keys.stream().map(key -> KeyBytes.wrap(key).hashCode()).distinct())
                .hasSize(1);
        assertThat(keys.stream().map(RowPages::hash).distinct()).hasSizeGreaterThan(keys.size() * 99 / 100);
    }

    @Test
    void aProcessHasASecretOfItsOwn() {
        byte[] key = counted(8);

        assertThat(RowPages.hasher().hash(key, 1, 3))
                .isNotEqualTo(RowPages.hasher().hash(key, 1, 3));
    }

    private static byte[] counted(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    /** Keys that all have one hash by FNV-1a: at each stage two blocks lead from one state to the same next one. */
    private static List<byte[]> colliding() {
        Random random = new Random(1);
        List<byte[]> keys = List.of(new byte[0]);
        for (int stage = 0; stage < STAGES; stage++) {
            List<byte[]> longer = new ArrayList<>();
            for (byte[] block : pair(keys.get(0), random)) {
                keys.forEach(key -> longer.add(joined(key, block)));
            }
            keys = longer;
        }
        return keys;
    }

    private static List<byte[]> pair(byte[] start, Random random) {
        Map<Integer, byte[]> seen = new HashMap<>();
        while (true) {
            byte[] block = new byte[4];
            random.nextBytes(block);
            byte[] other = seen.put(KeyBytes.wrap(joined(start, block)).hashCode(), block);
            if (other != null && !Arrays.equals(other, block)) {
                return List.of(block, other);
            }
        }
    }

    private static byte[] joined(byte[] first, byte[] second) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(first);
        joined.writeBytes(second);
        return joined.toByteArray();
    }
}
