package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.outbox.RelayState.Phase;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryLog;
import dev.tidemark.writer.testkit.LoneWriter;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;

/** How long a relay rests after failures, and what it gives up when it closes. */
class RelayPausesTest {
    private static final Duration STEP = Duration.ofMillis(1);

    private final ManualClock clock = new ManualClock();
    private final InMemoryLog log = new InMemoryLog();
    private final WriterStores stores = WriterStores.on(new InMemoryDisk());
    private final Ledger ledger = new Ledger();
    private final Producer producer = new Producer();
    private final RelayStatus status = new RelayStatus();
    private final Backlog backlog = new Backlog(new BacklogLimits(1_000, 1_000_000));
    private final TopicInspector looks = new TopicInspector(log, () -> {});
    private final OutboxRelay relay = relay();

    @Test
    void restsTwiceAsLongAfterEachFailureUpToALimit() throws Exception {
        ledger.isBroken = true;

        for (int i = 0; i < 20_000; i++) {
            step();
        }

        List<Instant> failures = ledger.failures;
        assertThat(IntStream.range(1, failures.size())
                        .mapToObj(i -> Duration.between(failures.get(i - 1), failures.get(i))
                                .toMillis()))
                .extracting(pause -> pause / 100 * 100)
                .startsWith(100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
    }

    @Test
    void restsShortlyAfterTheFirstFailureSinceItCouldPublish() throws Exception {
        ledger.isBroken = true;
        for (int i = 0; i < 5_000; i++) {
            step();
        }
        ledger.isBroken = false;
        for (int i = 0; i < 10_000 && status.state().phase() != Phase.RUNNING; i++) {
            step();
        }
        assertThat(status.state().phase()).isEqualTo(Phase.RUNNING);

        producer.failsOnce = true;
        for (int i = 0; i < 1_000 && status.state().phase() == Phase.RUNNING; i++) {
            step();
        }
        assertThat(status.state().phase()).isEqualTo(Phase.WAITING);
        for (int i = 0; i < 99; i++) {
            step();
        }
        assertThat(status.state().phase()).isEqualTo(Phase.WAITING);
        for (int i = 0; i < 10; i++) {
            step();
        }
        assertThat(status.state().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void givesUpWhatIsUnderWayWhenItCloses() throws Exception {
        CompletableFuture<Dismissals.Outcome> waiting = relay.dismissals().dismiss("customers", 0, customerKey(1));
        assertThat(producer.resets).isZero();

        relay.onClose();

        assertThat(producer.resets).isOne();
        assertThat(waiting).isCompletedWithValue(Dismissals.Outcome.UNAVAILABLE);
    }

    @Test
    void itsThreadIsNamedAfterIt() {
        assertThat(relay.roleName()).isEqualTo("relay");
    }

    private void step() throws InterruptedException {
        looks.doWork();
        relay.doWork();
        clock.advance(STEP);
    }

    private OutboxRelay relay() {
        Committer committer = new Committer(
                stores.facts(),
                TestTables.digests(stores.facts()),
                TestTables::rules,
                new CommitterLimits(100, 1_000_000, 100, STEP),
                MemoryBudget.unlimited().part("queue", 1),
                status,
                clock,
                List.of(backlog));
        return new OutboxRelay(
                TestTables.CATALOG.tables(),
                table -> true,
                () -> Definitions.first(TestTables.CATALOG, Instant.EPOCH),
                new OutboxRelay.Ports(
                        stores.facts(),
                        stores.outbox(),
                        stores.tombstones(),
                        ledger,
                        looks,
                        log,
                        producer,
                        new LoneWriter()),
                backlog,
                status,
                committer,
                Optional::empty,
                new SourceWatermarks(TestTables::rules, stores.facts()),
                MemoryBudget.unlimited().part("publishing", 1),
                new RelaySettings(RelayFixture.HEARTBEAT, 100, RelayFixture.TOMBSTONE_DELAY, RelayFixture.PATIENCE),
                clock);
    }

    /** What is remembered of topics, which cannot be written while it is broken. */
    private final class Ledger implements TopicLedger {
        private final List<Instant> failures = new ArrayList<>();
        private boolean isBroken;

        @Override
        public Optional<TopicRecord> find(String table) {
            return stores.ledger().find(table);
        }

        @Override
        public void save(String table, TopicRecord topic, boolean durably) {
            if (isBroken) {
                failures.add(clock.instant());
                throw new IllegalStateException("disk full");
            }
            stores.ledger().save(table, topic, durably);
        }

        @Override
        public Optional<RowVersion> unsettled() {
            return stores.ledger().unsettled();
        }

        @Override
        public void unsettled(RowVersion since) {
            stores.ledger().unsettled(since);
        }

        @Override
        public void settled() {
            stores.ledger().settled();
        }

        @Override
        public Set<String> tables() {
            return Set.of();
        }

        @Override
        public void forget(String table) {
            throw new AssertionError(table);
        }

        @Override
        public long nextSession(long least) {
            return stores.ledger().nextSession(least);
        }

        @Override
        public long lastSession() {
            return stores.ledger().lastSession();
        }
    }

    /** The way into the log, which fails once where it is told to, and counts how often it is given up. */
    private final class Producer implements EventPublisher {
        private boolean failsOnce;
        private int resets;

        @Override
        public Sending begin(List<Publication> messages) throws PublishException {
            if (failsOnce) {
                failsOnce = false;
                throw new PublishException("the log did not take a record");
            }
            return log.begin(messages);
        }

        @Override
        public void reset() {
            resets++;
            log.reset();
        }
    }
}
