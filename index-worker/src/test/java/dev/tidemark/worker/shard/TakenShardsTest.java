package dev.tidemark.worker.shard;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.TaskPool;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.consume.ApplyAgent;
import dev.tidemark.worker.copy.WrittenShard;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.SilentListener;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

/** A shard that lacks much is taken from elsewhere before it is opened. */
@Timeout(60)
class TakenShardsTest implements ShardSupply {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofMillis(2);
    private static final ShardId LARGE = new ShardId("films", 0);
    private static final ShardId SMALL = new ShardId("people", 0);
    private static final long END = 2_000;
    private static final URI HOLDER = URI.create("http://other:8082");

    @TempDir
    private Path directory;

    private final SettableClock clock = new SettableClock(WrittenShard.NOON);
    private final TaskPool opening = new TaskPool("open", 1, PATIENCE);
    private final TaskPool closing = new TaskPool("close", 1, PATIENCE);
    private final TaskPool copying = new TaskPool("copy", 1, PATIENCE);
    private final List<Need> needs = new CopyOnWriteArrayList<>();
    private final CountDownLatch arrives = new CountDownLatch(1);
    private RocksResources resources;
    private RocksShardStores stores;
    private Shards shards;
    private AgentRunner applying;
    private volatile String topicId = "topic-1";
    private volatile boolean hasCopies = true;

    @BeforeEach
    void start() {
        resources = new RocksResources(8 << 20, 8 << 20);
        stores = new RocksShardStores(directory, resources, 0, 0);
        ShardOpener opener = new ShardOpener(
                stores,
                this,
                id -> new PartitionInfoSource.PartitionInfo(
                        topicId, 0, id.equals(LARGE) ? END : 0, Optional.empty(), Optional.empty()),
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
                new ShardThreads(opening, closing, copying));
        applying = AgentRunner.start(new ApplyAgent(0, shards, STEP), Duration.ZERO);
    }

    @AfterEach
    void stop() {
        arrives.countDown();
        applying.close();
        opening.close();
        copying.close();
        closing.close();
        resources.close();
    }

    @Override
    public boolean isWorth(long records) {
        return records > END / 2;
    }

    @Override
    public void fetch(Need need, BooleanSupplier isWanted) {
        needs.add(need);
        try {
            BoundedWait.until(() -> arrives.getCount() == 0 || !isWanted.getAsBoolean(), PATIENCE, STEP);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (hasCopies && isWanted.getAsBoolean()) {
            stores.drop(need.shard());
            try (ShardStore store = stores.open(need.shard(), need.origin())) {
                WrittenShard.write(store, 0, END - 10);
            }
        }
    }

    @Override
    public Optional<CopyProgress> progress(ShardId shard) {
        return Optional.of(new CopyProgress(HOLDER, needs.size(), 80))
                .filter(far -> shard.equals(LARGE) && arrives.getCount() > 0 && !needs.isEmpty());
    }

    @Override
    public long takenBytes(String table) {
        return needs.size();
    }

    @Test
    void saysHowFarTheCopyIsUntilItHasArrived() throws Exception {
        assertThat(shards.copying(LARGE)).isEmpty();
        OpenShard large = shards.assign(LARGE);
        await(() -> !needs.isEmpty());
        assertThat(shards.copying(LARGE)).contains(new CopyProgress(HOLDER, 1, 80));
        assertThat(shards.copying(SMALL)).isEmpty();
        assertThat(shards.takenBytes(Tables.films())).isEqualTo(1);

        arrives.countDown();
        await(() -> large.topicId().isPresent());
        assertThat(shards.copying(LARGE)).isEmpty();
    }

    @Test
    void otherShardsOpenWhileItIsUnderWayAndItGoesOnFromItsOffset() throws Exception {
        OpenShard large = shards.assign(LARGE);
        await(() -> !needs.isEmpty());

        OpenShard small = shards.assign(SMALL);
        await(() -> small.topicId().isPresent());
        assertThat(large.isFull()).as("nothing is read for it").isTrue();
        assertThat(large.topicId()).isEmpty();

        arrives.countDown();
        await(() -> large.topicId().isPresent());
        assertThat(Objects.requireNonNull(large.takeStart()).position().offset())
                .isEqualTo(END - 10);
        assertThat(needs).hasSize(1).allMatch(need -> need.nextOffset() == 0);
        assertThat(large.status().orElseThrow().restoring())
                .as("until what it lacks is read")
                .isTrue();
    }

    @Test
    void whatIsThereAndWholeIsNotTakenAgain() throws Exception {
        arrives.countDown();
        OpenShard first = shards.assign(LARGE);
        await(() -> first.topicId().isPresent());
        shards.revoke(LARGE);
        OpenShard again = shards.assign(LARGE);
        await(() -> again.topicId().isPresent());
        assertThat(needs).hasSize(1);
    }

    @Test
    void whatCannotBeTrustedIsReplaced() throws Exception {
        arrives.countDown();
        OpenShard first = shards.assign(LARGE);
        await(() -> first.topicId().isPresent());
        shards.revoke(LARGE);
        topicId = "topic-2";
        OpenShard again = shards.assign(LARGE);
        await(() -> again.topicId().isPresent());
        assertThat(needs).hasSize(2);
        assertThat(needs.get(1).origin().topicId()).isEqualTo("topic-2");
        assertThat(Objects.requireNonNull(again.takeStart()).position().offset())
                .isEqualTo(END - 10);
    }

    @Test
    void theTopicIsReadWhereNoCopyCame() throws Exception {
        hasCopies = false;
        arrives.countDown();
        OpenShard large = shards.assign(LARGE);
        await(() -> large.topicId().isPresent());
        assertThat(Objects.requireNonNull(large.takeStart()).position()).isEqualTo(StartPosition.BEGINNING);
        assertThat(large.failure()).isEmpty();
    }

    @Test
    void theTopicIsReadWhereItIsAskedForAnew() throws Exception {
        arrives.countDown();
        OpenShard large = shards.assign(LARGE);
        await(() -> large.topicId().isPresent());
        shards.rebuild(LARGE, "a test wants it");
        await(() -> large.openings() == 2);
        assertThat(Objects.requireNonNull(large.takeStart()).position()).isEqualTo(StartPosition.BEGINNING);
        assertThat(needs).hasSize(1);
    }

    @Test
    void aPartitionThatGoesMeanwhileIsNotTaken() throws Exception {
        OpenShard large = shards.assign(LARGE);
        await(() -> !needs.isEmpty());
        shards.revoke(LARGE);
        await(large::isClosed);
        assertThat(arrives.getCount()).isEqualTo(1);
        assertThat(large.failure()).isEmpty();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        assertThat(BoundedWait.until(condition, PATIENCE, STEP)).isTrue();
    }
}
