package dev.tidemark.worker.advise;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;

class SpaceSavingTest {

    @Test
    void countsExactlyWhileThereIsRoom() {
        SpaceSaving heavy = new SpaceSaving(3);
        for (String key : "a b c a b a".split(" ", -1)) {
            heavy.add(key(key));
        }

        assertThat(heavy.top(2))
                .containsExactly(new SpaceSaving.Count(key("a"), 3, 0), new SpaceSaving.Count(key("b"), 2, 0));
    }

    @Test
    void neverMissesAKeyThatIsHeavyAndNeverCountsTooLittle() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        SpaceSaving heavy = new SpaceSaving(64);
        int times = 0;
        for (int i = 0; i < 100_000; i++) {
            boolean isHeavy = random.nextInt(20) == 0;
            times += isHeavy ? 1 : 0;
            heavy.add(key(isHeavy ? "heavy" : "rare " + random.nextInt(50_000)));
        }

        SpaceSaving.Count top = heavy.top(1).get(0);
        assertThat(top.key()).as("seed %d", seed).isEqualTo(key("heavy"));
        assertThat(top.times()).as("seed %d", seed).isGreaterThanOrEqualTo(times);
        assertThat(top.times() - top.error()).as("seed %d", seed).isLessThanOrEqualTo(times);
    }

    private static KeyBytes key(String text) {
        return KeyBytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
