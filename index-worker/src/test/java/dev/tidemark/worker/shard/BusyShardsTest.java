package dev.tidemark.worker.shard;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.TaskPool;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.consume.ApplyAgent;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.SettableSupply;
import dev.tidemark.worker.testkit.SilentListener;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

/** A shard that takes long to open or to close holds up no other shard of its apply thread. */
class BusyShardsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofMillis(2);
    private static final long BUFFER = 8 << 20;
    private static final ShardId BUSY = new ShardId("films", 0);
    private static final ShardId OTHER = new ShardId("people", 0);

    @TempDir
    private Path directory;

    private final SettableClock clock = new SettableClock(ChangeLog.at(100));
    private final CountDownLatch brokersAnswer = new CountDownLatch(1);
    private final ChangeLog log = new ChangeLog(Tables.people());
    private final TaskPool opening = new TaskPool("open", 2, PATIENCE);
    private final TaskPool closing = new TaskPool("close", 2, PATIENCE);
    private RocksResources resources;
    private Shards shards;
    private AgentRunner applying;
    private volatile boolean brokersSilent;

    @BeforeEach
    void start() {
        resources = new RocksResources(BUFFER, BUFFER);
        ShardOpener opener = new ShardOpener(
                new RocksShardStores(directory, resources, 0, 0),
                new SettableSupply(),
                this::ask,
                new RebuildPolicy(Duration.ofHours(84)),
                clock,
                WriterClock.SAME,
                new SilentListener());
        shards = new Shards(
                Tables.inForce(Tables.catalog()),
                opener,
                new ProgressSignal(),
                clock,
                1,
                new ShardThreads(opening, closing, opening));
        applying = AgentRunner.start(new ApplyAgent(0, shards, STEP), Duration.ZERO);
    }

    @AfterEach
    void stop() {
        brokersAnswer.countDown();
        applying.close();
        opening.close();
        closing.close();
        resources.close();
    }

    @Test
    void asItIsClosedAndSomebodyReadsIt() throws Exception {
        othersGoOnWhileItWaitsForItsView(shard -> shards.revoke(BUSY));
    }

    @Test
    void asItIsBuiltAgainAndSomebodyReadsIt() throws Exception {
        othersGoOnWhileItWaitsForItsView(shard -> shard.requestRebuild("a test wants it"));
    }

    @Test
    void asItFailsAndSomebodyReadsIt() throws Exception {
        othersGoOnWhileItWaitsForItsView(shard -> shard.ask(applier -> {
            throw new IllegalStateException("no space left on device");
        }));
    }

    @Test
    void asTheBrokersDoNotAnswerForIt() throws Exception {
        OpenShard other = open(OTHER);
        brokersSilent = true;
        OpenShard busy = shards.assign(BUSY);

        othersGoOn(other);

        assertThat(busy.status()).isEmpty();
        brokersAnswer.countDown();
        await(() -> busy.topicId().isPresent());
    }

    @Test
    void aPartitionThatComesBackIsOpenedOnceItsShardFromBeforeIsClosed() throws Exception {
        OpenShard before = open(BUSY);
        ShardView view = before.readApplied().orElseThrow().view();
        shards.revoke(BUSY);
        OpenShard after = shards.assign(BUSY);
        await(() -> before.topicId().isEmpty());
        assertThat(before.isClosed()).isFalse();
        assertThat(after.readApplied()).isEmpty();

        view.close();

        await(() -> after.topicId().isPresent());
        assertThat(before.isClosed()).isTrue();
        assertThat(after.failure()).isEmpty();
    }

    private void othersGoOnWhileItWaitsForItsView(Consumer<OpenShard> end) throws Exception {
        OpenShard busy = open(BUSY);
        OpenShard other = open(OTHER);
        int openings = busy.openings();
        ShardView view = busy.readApplied().orElseThrow().view();
        assertThat(busy.isLeaving(openings)).isFalse();

        end.accept(busy);
        await(() -> busy.topicId().isEmpty());

        assertThat(busy.isLeaving(openings))
                .as("whoever holds a view is to give it up")
                .isTrue();
        othersGoOn(other);
        assertThat(busy.openings()).isEqualTo(openings);
        assertThat(busy.isClosed()).isFalse();
        view.close();
        clock.advance(Duration.ofMinutes(1));
        await(() -> busy.isClosed() || busy.openings() > openings);
        assertThat(busy.isLeaving(openings)).isTrue();
    }

    private void othersGoOn(OpenShard other) throws InterruptedException {
        long reading = Objects.requireNonNull(other.takeStart()).reading();
        other.offer(log.put(1, "{\"id\":1,\"town\":\"Oslo\",\"name\":\"Ada\"}").take(), reading, () -> {});
        await(() -> other.status().orElseThrow().checkpoint().nextOffset() == 1);
    }

    private OpenShard open(ShardId id) throws InterruptedException {
        OpenShard shard = shards.assign(id);
        await(() -> shard.topicId().isPresent());
        return shard;
    }

    private PartitionInfoSource.PartitionInfo ask(ShardId id) {
        if (brokersSilent) {
            try {
                brokersAnswer.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return new PartitionInfoSource.PartitionInfo("topic", 0, 0, Optional.empty(), Optional.empty());
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        assertThat(BoundedWait.until(condition, PATIENCE, STEP)).isTrue();
    }
}
