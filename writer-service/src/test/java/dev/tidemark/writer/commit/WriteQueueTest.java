package dev.tidemark.writer.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.BoundedWait;

import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WriteQueueTest {
    private static final int REQUESTS = 4;
    private static final int GROUP_COMMANDS = 4;

    private final MemoryBudget memory = new MemoryBudget(1_000_000);
    private final WriteQueue queue = new WriteQueue(
            new CommitterLimits(REQUESTS, 1_000_000, GROUP_COMMANDS, Duration.ofMillis(1)), memory.part("queue", 1));

    @Test
    void aGroupTakesNoFurtherRequestOnceItHasSoManyCommands() throws Exception {
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(offer(2)).isNotDone();
        }

        assertThat(queue.take(Duration.ZERO)).hasSize(2);
        assertThat(queue.take(Duration.ZERO)).hasSize(2);
        assertThat(queue.take(Duration.ZERO)).isEmpty();
    }

    @Test
    void aGroupThatHasRoomTakesARequestWhateverItsSize() throws Exception {
        assertThat(offer(GROUP_COMMANDS - 1)).isNotDone();
        assertThat(offer(GROUP_COMMANDS * 2)).isNotDone();
        assertThat(offer(1)).isNotDone();

        assertThat(queue.take(Duration.ZERO)).hasSize(2);
        assertThat(queue.take(Duration.ZERO)).hasSize(1);
    }

    @Test
    void aRequestThatIsRefusedOccupiesNothing() throws Exception {
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(offer(1)).isNotDone();
        }
        long bytes = queue.bytes();
        long reserved = memory.reserved();

        assertThat(queue.size()).isEqualTo(REQUESTS);
        assertThatThrownBy(() -> offer(1)).isInstanceOf(QueueFullException.class);

        assertThat(queue.bytes()).isEqualTo(bytes).isPositive();
        assertThat(memory.reserved()).isEqualTo(reserved).isPositive();
    }

    @Test
    void aRequestForWhichThereAreNoBytesIsToldHowManyAreTaken() throws Exception {
        WriteQueue small = new WriteQueue(
                new CommitterLimits(REQUESTS, 10_240, GROUP_COMMANDS, Duration.ofMillis(1)), memory.part("small", 1));
        WriteRequest request =
                new WriteRequest("customers", List.of(new WriteCommand.Touch(customerKey(1), List.of())), false, 7_000);
        assertThat(small.offer(request, Instant.EPOCH, Duration.ZERO)).isNotDone();

        assertThatThrownBy(() -> small.offer(request, Instant.EPOCH, Duration.ZERO))
                .isInstanceOf(QueueFullException.class)
                .hasMessageContaining("7 of 10 KiB are taken");
    }

    @Test
    void whatStillWaitsFailsAndOccupiesNothing() throws Exception {
        var first = offer(1);
        var second = offer(2);
        IllegalStateException reason = new IllegalStateException("stopped");

        queue.failAll(reason);

        assertThat(List.of(first, second))
                .allSatisfy(done -> assertThatThrownBy(done::get).hasCause(reason));
        assertThat(queue.size()).isZero();
        assertThat(queue.bytes()).isZero();
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void aThreadThatIsInterruptedWhileItWaitsForRoomLeavesNothingReserved() throws Exception {
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(offer(1)).isNotDone();
        }
        long bytes = queue.bytes();
        long reserved = memory.reserved();
        AtomicReference<Thread> waiting = new AtomicReference<>();
        CompletableFuture<Void> offered = CompletableFuture.runAsync(() -> {
            waiting.set(Thread.currentThread());
            assertThatThrownBy(() -> queue.offer(request(1), Instant.EPOCH, Duration.ofSeconds(30)))
                    .isInstanceOf(InterruptedException.class);
        });
        assertThat(BoundedWait.until(() -> memory.reserved() > reserved, Duration.ofSeconds(10), Duration.ofMillis(1)))
                .isTrue();

        Objects.requireNonNull(waiting.get()).interrupt();
        offered.get(10, TimeUnit.SECONDS);

        assertThat(queue.bytes()).isEqualTo(bytes);
        assertThat(memory.reserved()).isEqualTo(reserved);
    }

    private CompletableFuture<List<CommitOutcome>> offer(int commands) throws Exception {
        return queue.offer(request(commands), Instant.EPOCH, Duration.ZERO);
    }

    private static WriteRequest request(int commands) {
        List<WriteCommand> restated = Collections.nCopies(commands, new WriteCommand.Touch(customerKey(1), List.of()));
        return new WriteRequest("customers", restated, false, 10);
    }
}
