package dev.tidemark.writer.commit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryFactStore;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each request is answered, whenever the committer closes. */
class ClosingCommitterTest {
    private final InMemoryFactStore store = new InMemoryFactStore(new InMemoryDisk());
    private final HookedClock clock = new HookedClock();
    private final Committer committer = new Committer(
            store,
            TestTables.digests(store),
            TestTables::rules,
            new CommitterLimits(10, 100_000, 1, Duration.ofMillis(1)),
            MemoryBudget.unlimited().part("queue", 1),
            table -> Optional.empty(),
            clock,
            List.of());

    @Test
    void whatWaitsIsCommittedInAsManyGroupsAsItTakes() throws Exception {
        var first = submit(1);
        var second = submit(2);

        committer.onClose();

        assertThat(first.get()).singleElement().matches(CommitOutcome::applied);
        assertThat(second.get()).singleElement().matches(CommitOutcome::applied);
    }

    @Test
    void whatWaitsFailsWhereTheThreadIsInterrupted() throws Exception {
        var waiting = submit(1);
        Thread.currentThread().interrupt();

        committer.onClose();

        assertThat(Thread.interrupted()).as("whoever runs it is told").isTrue();
        assertThat(waiting).isCompletedExceptionally();
        assertThatThrownBy(waiting::get).hasMessageContaining("nothing was applied");
        assertThat(store.find("customers", customerKey(1))).isNull();
        assertThat(committer.queuedBytes()).isZero();
    }

    @Test
    void aRequestThatSlipsInMeanwhileFails() throws Exception {
        clock.beforeItIsRead(committer::onClose);

        var late = submit(1);

        assertThat(late).isCompletedExceptionally();
        assertThatThrownBy(late::get).hasMessageContaining("the service is stopping; nothing was applied");
        assertThat(committer.queuedBytes()).isZero();
    }

    /** Or the clock of a process that takes over at once would begin ahead of the time. */
    @Test
    void noTimeIsPromisedAnyMoreOnceNothingIsCommitted() throws Exception {
        committer.doWork();
        assertThat(store.lastCommit().time()).isAfter(clock.instant());

        committer.onClose();

        assertThat(store.lastCommit().time())
                .isEqualTo(committer.frontier().time())
                .isBeforeOrEqualTo(clock.instant());
    }

    private CompletableFuture<List<CommitOutcome>> submit(long id) throws Exception {
        WriteCommand command = new WriteCommand.Put(customerKey(id), customer(id, "a"), Precondition.NONE);
        return committer.submit(WriteRequest.of("customers", command, 10), Duration.ZERO);
    }

    /** Has something happen between two steps of the thread that reads it. */
    private static final class HookedClock extends Clock {
        private final Clock clock = new ManualClock();
        private Runnable hook = () -> {};

        void beforeItIsRead(Runnable once) {
            hook = once;
        }

        @Override
        public Instant instant() {
            Runnable now = hook;
            hook = () -> {};
            now.run();
            return clock.instant();
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
