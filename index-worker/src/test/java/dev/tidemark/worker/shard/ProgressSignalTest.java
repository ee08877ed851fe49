package dev.tidemark.worker.shard;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.testkit.OwnThread;

import static org.assertj.core.api.Assertions.assertThat;

class ProgressSignalTest {
    private final ProgressSignal progressSignal = new ProgressSignal();

    @Test
    void wakesAWaiterWhoseConditionCameTrue() throws Exception {
        AtomicInteger progress = new AtomicInteger();
        CompletableFuture<Boolean> met = OwnThread.supply(() -> await(() -> progress.get() >= 100));
        for (int i = 0; i < 100; i++) {
            progress.incrementAndGet();
            progressSignal.ring();
        }
        assertThat(met.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void givesUpWhenTheTimeIsOver() throws Exception {
        assertThat(progressSignal.await(() -> false, Duration.ofMillis(20))).isFalse();
    }

    @Test
    void doesNotWaitForWhatIsTrueAlready() throws Exception {
        assertThat(progressSignal.await(() -> true, Duration.ZERO)).isTrue();
    }

    @Test
    void ringingDoesNotWaitForAConditionThatIsBeingLookedAt() throws Exception {
        CountDownLatch looking = new CountDownLatch(2);
        CountDownLatch looked = new CountDownLatch(1);
        CompletableFuture<Boolean> waiter = OwnThread.supply(() -> await(() -> {
            looking.countDown();
            return looking.getCount() == 0 && isOver(looked);
        }));
        while (looking.getCount() > 0) {
            progressSignal.ring();
        }
        CompletableFuture<Boolean> ringer = OwnThread.supply(() -> {
            progressSignal.ring();
            return true;
        });

        assertThat(ringer.get(10, TimeUnit.SECONDS)).isTrue();

        looked.countDown();
        assertThat(waiter.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void missesNoRingThatComesWhileTheConditionIsLookedAt() throws Exception {
        AtomicInteger looks = new AtomicInteger();

        boolean met = progressSignal.await(
                () -> {
                    boolean held = looks.getAndIncrement() > 4;
                    progressSignal.ring();
                    return held;
                },
                Duration.ofSeconds(10));

        assertThat(met).isTrue();
    }

    private static boolean isOver(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean await(BooleanSupplier condition) {
        try {
            return progressSignal.await(condition, Duration.ofSeconds(60));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
