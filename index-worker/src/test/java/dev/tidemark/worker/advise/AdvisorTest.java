package dev.tidemark.worker.advise;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.worker.advise.Advisor.Meters;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.FilmShard;
import dev.tidemark.worker.testkit.OwnThread;

import static org.assertj.core.api.Assertions.assertThat;

class AdvisorTest {
    private static final String HEAT =
            "{\"id\":1,\"title\":\"Heat\",\"year\":1995,\"kind\":\"film\",\"cast\":[\"Pacino\"]}";

    private final FilmShard shard = new FilmShard();

    @Test
    void oneThreadAtATimeWalksAndAnotherGetsTheReportBeforeOrNone() throws Exception {
        Gate gate = new Gate();
        Advisor advisor = new Advisor(
                shard.bench()::definitions, shard.bench().shards(), Meters.atZero(), UsageElsewhere.NONE, gate);

        CompletableFuture<Optional<AdviceReport>> first = OwnThread.supply(advisor::report);
        gate.awaitWalk();
        assertThat(advisor.report()).as("while there is no report yet").isEmpty();
        gate.open();
        AdviceReport report = first.get(10, TimeUnit.SECONDS).orElseThrow();

        assertThat(advisor.report()).as("a short while later").containsSame(report);
        gate.shut(Duration.ofMinutes(10));
        CompletableFuture<Optional<AdviceReport>> second = OwnThread.supply(advisor::report);
        gate.awaitWalk();
        assertThat(advisor.report()).as("while another is being made").containsSame(report);
        gate.open();
        assertThat(second.get(10, TimeUnit.SECONDS)).isPresent().get().isNotSameAs(report);
    }

    @Test
    void leavesOutShardsThatAreBuiltAgain() {
        shard.log().put(5, HEAT).heartbeat(6);
        shard.deliver();
        assertThat(entries()).isEqualTo(1);
        shard.bench().withoutProofs();
        shard.rebuild();
        shard.deliver(1);

        assertThat(entries()).isZero();
        assertThat(report().notes())
                .contains("1 of 1 partitions of table films are being rebuilt from their topic and are not counted")
                .noneMatch(note -> note.contains("table films are not open"));

        shard.deliver();
        shard.bench().proveAll();
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void forgetsTheCountersOfGenerationsThatAreGone() {
        Meters meters = Meters.atZero();
        meters.usage().answered(7, false);

        meters.retain(new Definitions(9, Instant.EPOCH, List.of(), 99), List.of());

        assertThat(meters.usage().of(7, Duration.ZERO).queries()).isZero();
    }

    private long entries() {
        return report().indexes().get(0).shape().entries();
    }

    private AdviceReport report() {
        return new Advisor(
                        shard.bench()::definitions,
                        shard.bench().shards(),
                        Meters.atZero(),
                        UsageElsewhere.NONE,
                        shard.bench().clock())
                .report()
                .orElseThrow();
    }

    /** A clock at which every thread but the one that made it waits, until it is open. */
    private static final class Gate extends Clock {
        private final Thread free = Thread.currentThread();
        private final AtomicInteger looks = new AtomicInteger();
        private volatile Instant now = ChangeLog.at(0);
        private volatile CountDownLatch walking = new CountDownLatch(1);
        private volatile CountDownLatch opened = new CountDownLatch(1);

        /** Waits until a thread has begun to walk. */
        void awaitWalk() throws InterruptedException {
            assertThat(walking.await(10, TimeUnit.SECONDS)).isTrue();
        }

        void open() {
            opened.countDown();
        }

        /** Is not open any more, that much later, but for a look at whether the last report is old. */
        void shut(Duration later) {
            looks.set(1);
            walking = new CountDownLatch(1);
            opened = new CountDownLatch(1);
            now = now.plus(later);
        }

        @Override
        public Instant instant() {
            if (Thread.currentThread() != free && looks.getAndDecrement() <= 0) {
                pass();
            }
            return now;
        }

        private void pass() {
            walking.countDown();
            try {
                assertThat(opened.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public ZoneId getZone() {
            throw new UnsupportedOperationException("only moments are asked for");
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("only moments are asked for");
        }
    }
}
