package dev.tidemark.worker.lifecycle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.testkit.OwnThread;

import static org.assertj.core.api.Assertions.assertThat;

class BellTest {
    private final Bell bell = new Bell();

    @Test
    void wakesAWaiterWhoseConditionCameTrue() throws Exception {
        AtomicInteger progress = new AtomicInteger();
        CompletableFuture<Boolean> met = OwnThread.supply(() -> await(() -> progress.get() >= 100));
        for (int i = 0; i < 100; i++) {
            progress.incrementAndGet();
            bell.ring();
        }
        assertThat(met.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void givesUpWhenTheTimeIsOver() throws Exception {
        assertThat(bell.await(() -> false, Duration.ofMillis(20))).isFalse();
    }

    @Test
    void doesNotWaitForWhatIsTrueAlready() throws Exception {
        assertThat(bell.await(() -> true, Duration.ZERO)).isTrue();
    }

    private boolean await(BooleanSupplier condition) {
        try {
            return bell.await(condition, Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
