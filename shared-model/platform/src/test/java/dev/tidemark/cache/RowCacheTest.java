package dev.tidemark.cache;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RowCacheTest {
    @Test
    void keepsWhatWasWrittenLastWithinItsBytes() {
        RowCacheMemory room = new RowCacheMemory(4 << 20);
        RowCache cache = new RowCache(room, true);
        byte[] value = new byte[100];
        for (int i = 0; i < 100_000; i++) {
            cache.wrote(key(i), value, 0, value.length);
        }
        assertThat(cache.get(key(99_999))).isEqualTo(value);
        assertThat(cache.get(key(99_999 - 8_000))).isEqualTo(value);
        assertThat(cache.get(key(1))).as("forgotten").isNull();
        assertThat(room.take(2 << 20)).as("more than half is taken").isFalse();
    }

    @Test
    void knowsThatARowIsNotThereOnlyWhileNothingWasForgotten() {
        RowCache cache = new RowCache(new RowCacheMemory(1 << 20), true);
        assertThat(cache.get(key(7))).isEqualTo(RowCache.ABSENT);
        cache.wrote(key(1), new byte[] {1}, 0, 1);
        cache.wrote(key(1), new byte[0], 0, 0);
        assertThat(cache.get(key(1))).isEqualTo(RowCache.ABSENT);
        cache.forget();
        assertThat(cache.get(key(1))).isNull();
        assertThat(cache.get(key(7))).isNull();
        assertThat(new RowCache(new RowCacheMemory(1 << 20), false).get(key(7))).isNull();
    }

    @Test
    void whatIsTooLargeIsLeftToTheDatabaseAndWhatWasBeforeItIsForgotten() {
        RowCache cache = new RowCache(new RowCacheMemory(1 << 20), true);
        cache.wrote(key(1), new byte[] {1}, 0, 1);
        cache.wrote(key(1), new byte[1 << 20], 0, 1 << 20);
        assertThat(cache.get(key(1))).isNull();
        assertThat(cache.get(key(2))).isEqualTo(RowCache.ABSENT);
    }

    @Test
    void aRowWhoseKeyIsTooLargeIsLeftToTheDatabase() {
        RowCache cache = new RowCache(new RowCacheMemory(1 << 20), true);
        byte[] large = new byte[1 << 18];
        cache.wrote(key(1), new byte[] {1}, 0, 1);
        cache.wrote(large, new byte[] {1}, 0, 1);
        assertThat(cache.get(large)).isNull();
        assertThat(cache.get(key(1))).containsExactly(1);
    }

    @Test
    void oneStoreGivesBackWhatAnotherShouldHave() {
        RowCacheMemory room = new RowCacheMemory(4 << 20);
        RowCache first = new RowCache(room, true);
        for (int i = 0; i < 100_000; i++) {
            first.wrote(key(i), new byte[100], 0, 100);
        }
        RowCache second = new RowCache(room, true);
        first.fit();
        assertThat(room.take(2 << 20)).as("the share of the second").isTrue();
        room.giveBack(2 << 20);
        for (int i = 0; i < 5_000; i++) {
            second.wrote(key(i), new byte[100], 0, 100);
        }
        assertThat(second.get(key(4_999))).hasSize(100);
    }

    private static byte[] key(int row) {
        return ("row " + row).getBytes(StandardCharsets.UTF_8);
    }
}
