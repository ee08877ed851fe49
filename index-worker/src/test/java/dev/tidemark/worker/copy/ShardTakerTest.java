package dev.tidemark.worker.copy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.rocks.RocksResources;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.shard.CopyProgress;
import dev.tidemark.worker.shard.PartitionInfoSource.PartitionInfo;
import dev.tidemark.worker.shard.RebuildPolicy;
import dev.tidemark.worker.shard.ShardSupply;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.testkit.SettableClock;

import static dev.tidemark.worker.copy.WrittenShard.ID;
import static dev.tidemark.worker.copy.WrittenShard.ORIGIN;
import static org.assertj.core.api.Assertions.assertThat;

/** Whether a worker takes a shard from another one, over a way that breaks. */
@Tag("slow")
class ShardTakerTest {
    private static final long RECORDS = 3_000;
    private static final URI FIRST = URI.create("http://first");
    private static final URI SECOND = URI.create("http://second");

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);
    private final SettableClock clock = new SettableClock(WrittenShard.NOON);
    private final LoopbackHolders holders = new LoopbackHolders();
    private final Map<URI, ShardStore> shards = new HashMap<>();
    private final List<Duration> rests = new ArrayList<>();
    private final CopyMeter meter = new CopyMeter();
    private final AtomicBoolean wanted = new AtomicBoolean(true);

    @TempDir
    private Path directory = Path.of("");

    private RocksShardStores taker;

    @BeforeEach
    void write() {
        taker = new RocksShardStores(directory.resolve("taker"), resources, 0, 0);
        holder(FIRST);
    }

    @AfterEach
    void close() {
        shards.values().forEach(ShardStore::close);
        resources.close();
    }

    private void holder(URI worker) {
        Path data = directory.resolve(String.valueOf(worker.getHost()));
        RocksShardStores stores = new RocksShardStores(data.resolve("shards"), resources, 0, 0);
        ShardStore store = stores.open(ID, ORIGIN);
        WrittenShard.write(store, 0, RECORDS);
        shards.put(worker, store);
        ByteRate rate = new ByteRate(Long.MAX_VALUE / 2, clock);
        holders.workers.put(worker, new HeldCopies(data.resolve("copies"), stores, rate, clock));
    }

    private void fetch(URI... workers) {
        fetch(ORIGIN, RECORDS, 0, workers);
    }

    private void fetch(ShardOrigin origin, long end, long nextOffset, URI... workers) {
        ShardTaker shardTaker = new ShardTaker(
                taker,
                holders,
                shard -> List.of(workers),
                new RebuildPolicy(Duration.ofHours(84)),
                1_000,
                clock,
                time -> {
                    rests.add(time);
                    clock.advance(time);
                },
                meter);
        PartitionInfo topic = new PartitionInfo(origin.topicId(), 0, end, Optional.empty(), Optional.empty());
        shardTaker.fetch(new ShardSupply.Need(ID, origin, topic, nextOffset), wanted::get);
    }

    private long taken() {
        try (ShardStore store = taker.open(ID, ORIGIN)) {
            return WrittenShard.requireWhole(store, RECORDS);
        }
    }

    private void assertNothingTaken() throws IOException {
        Path root = directory.resolve("taker");
        if (Files.exists(root)) {
            try (Stream<Path> left = Files.list(root)) {
                assertThat(left).isEmpty();
            }
        }
    }

    private Path holderCopies() {
        return directory.resolve("first").resolve("copies");
    }

    @Test
    void takesAShardAsItIsAndLeavesNothingBehind() throws Exception {
        fetch(FIRST);
        assertThat(taken()).isEqualTo(RECORDS);
        assertThat(holderCopies()).isEmptyDirectory();
        assertThat(directory.resolve("taker").toFile().list()).hasSize(1);
        assertThat(holders.asked).hasSizeGreaterThan(10);
    }

    @Test
    void saysHowMuchOfAShardHasComeUntilItIsThere() {
        List<CopyProgress> seen = progressOfEachAnswer();
        fetch(FIRST);
        assertThat(seen)
                .hasSizeGreaterThan(5)
                .allSatisfy(progress -> assertThat(progress.from()).isEqualTo(FIRST));
        assertThat(seen.get(0).copiedBytes()).isZero();
        assertThat(seen).extracting(CopyProgress::copiedBytes).isSorted().doesNotHaveDuplicates();
        assertThat(seen).extracting(CopyProgress::copyBytes).containsOnly(holders.bytes);
        assertThat(meter.progress(ID)).isEmpty();
        assertThat(meter.takenBytes(ID.table())).isEqualTo(holders.bytes);
        assertThat(meter.takenBytes("people")).isZero();
    }

    @Test
    void whatIsHereFromBeforeABreakCountsAsHere() {
        holders.fault = (bytes, worker) -> {
            if (holders.asked.size() == 20) {
                restart(worker);
                throw new IOException("connection reset");
            }
            return bytes;
        };
        List<CopyProgress> seen = progressOfEachAnswer();
        fetch(FIRST);
        CopyProgress last = seen.get(seen.size() - 1);
        assertThat(seen).filteredOn(progress -> progress.copiedBytes() == 0).hasSize(1);
        assertThat(last.copiedBytes()).isPositive().isLessThan(last.copyBytes());
        assertThat(meter.progress(ID)).isEmpty();
    }

    @Test
    void whatIsRemovedBecauseItIsDamagedIsNotHere() {
        AtomicReference<String> damaged = new AtomicReference<>("");
        AtomicBoolean broke = new AtomicBoolean();
        holders.fault = (bytes, worker) -> {
            String file = holders.asked.get(holders.asked.size() - 1).split(" ", -1)[2];
            if (file.equals(damaged.get()) && broke.compareAndSet(false, true)) {
                restart(worker);
                throw new IOException("connection reset");
            }
            boolean isLarge = file.endsWith(".sst") && bytes.length == LoopbackHolders.PIECE;
            return isLarge && damaged.compareAndSet("", file) ? flipped(bytes) : bytes;
        };
        List<CopyProgress> seen = progressOfEachAnswer();
        fetch(FIRST);
        assertThat(taken()).isEqualTo(RECORDS);
        assertThat(broke).isTrue();
        assertThat(seen)
                .allSatisfy(progress -> assertThat(progress.copiedBytes()).isBetween(0L, progress.copyBytes() - 1));
    }

    @Test
    void saysNothingOfAShardThatNoWorkerGave() {
        fetch();
        assertThat(meter.progress(ID)).isEmpty();
        assertThat(meter.takenBytes(ID.table())).isZero();
    }

    /** Collects how far the copy is as each answer comes. */
    private List<CopyProgress> progressOfEachAnswer() {
        List<CopyProgress> seen = new ArrayList<>();
        LoopbackHolders.Fault fault = holders.fault;
        holders.fault = (bytes, worker) -> {
            seen.add(meter.progress(ID).orElseThrow());
            return fault.arrive(bytes, worker);
        };
        return seen;
    }

    @Test
    void replacesWhatWasThere() {
        try (ShardStore old = taker.open(ID, ORIGIN)) {
            WrittenShard.write(old, 0, 7);
        }
        fetch(ORIGIN, RECORDS, 7, FIRST);
        assertThat(taken()).isEqualTo(RECORDS);
    }

    @Test
    void goesOnWhereItBrokeOff() {
        holders.fault = (bytes, worker) -> {
            if (holders.asked.size() % 3 == 0) {
                throw new IOException("connection reset");
            }
            return bytes;
        };
        fetch(FIRST);
        long afterBreaks = holders.bytes;
        assertThat(taken()).isEqualTo(RECORDS);
        assertThat(holders.asked.stream().filter(call -> call.startsWith("list")))
                .hasSize(1);
        assertThat(rests).hasSizeGreaterThan(5);
        assertThat(afterBreaks).as("no byte came twice").isEqualTo(bytesOfACopy());
    }

    private long bytesOfACopy() {
        taker.drop(ID);
        long before = holders.bytes;
        holders.fault = (bytes, worker) -> bytes;
        fetch(FIRST);
        return holders.bytes - before;
    }

    @Test
    void goesOnFromTheSameHolderAfterItStartedAgain() {
        holders.fault = (bytes, worker) -> {
            if (holders.asked.size() == 20) {
                // It has forgotten all its copies.
                restart(worker);
                throw new IOException("connection reset");
            }
            return bytes;
        };
        fetch(FIRST);
        assertThat(taken()).isEqualTo(RECORDS);
        assertThat(holders.asked.stream().filter(call -> call.startsWith("list")))
                .hasSize(2);
        assertThat(holders.asked.stream().distinct().count())
                .as("what was there already was not asked for again, but for what broke off and the list")
                .isGreaterThanOrEqualTo(holders.asked.size() - 10);
    }

    private void restart(URI worker) {
        Path data = directory.resolve(String.valueOf(worker.getHost()));
        RocksShardStores stores = new RocksShardStores(data.resolve("shards"), resources, 0, 0);
        Objects.requireNonNull(shards.get(worker)).close();
        shards.put(worker, stores.open(ID, ORIGIN));
        ByteRate rate = new ByteRate(Long.MAX_VALUE / 2, clock);
        holders.workers.put(worker, new HeldCopies(data.resolve("copies"), stores, rate, clock));
    }

    @Test
    void takesItFromAnotherWhereTheFirstDisappears() {
        holder(SECOND);
        holders.fault = (bytes, worker) -> {
            if (worker.equals(FIRST) && holders.asked.size() > 20) {
                holders.workers.remove(FIRST);
                throw new IOException("connection refused");
            }
            return bytes;
        };
        fetch(FIRST, SECOND);
        assertThat(taken()).isEqualTo(RECORDS);
        assertThat(holders.asked).anyMatch(call -> call.startsWith("read " + SECOND));
    }

    @Test
    void takesNothingWhereTheOnlyHolderDisappears() throws Exception {
        holders.fault = (bytes, worker) -> {
            holders.workers.remove(worker);
            throw new IOException("connection refused");
        };
        fetch(FIRST);
        assertNothingTaken();
    }

    @Test
    void aDamagedByteIsFoundAndTheNextHolderAsked() {
        holder(SECOND);
        holders.fault = (bytes, worker) -> worker.equals(FIRST) ? flipped(bytes) : bytes;
        fetch(FIRST, SECOND);
        assertThat(taken()).isEqualTo(RECORDS);
    }

    @Test
    void aDamagedByteIsFoundInEveryFile() throws Exception {
        for (String file : List.of(".sst", "CURRENT", "MANIFEST", "OPTIONS")) {
            holders.fault = (bytes, worker) ->
                    holders.asked.get(holders.asked.size() - 1).contains(file) ? flipped(bytes) : bytes;
            fetch(FIRST);
            assertNothingTaken();
        }
        assertThat(holderCopies()).isEmptyDirectory();
    }

    private static byte[] flipped(byte[] bytes) {
        byte[] damaged = bytes.clone();
        damaged[damaged.length / 2] ^= 1;
        return damaged;
    }

    @Test
    void aSlowHolderIsGivenUp() throws Exception {
        holders.fault = (bytes, worker) -> {
            clock.advance(Duration.ofSeconds(20));
            return bytes;
        };
        fetch(FIRST);
        assertNothingTaken();
        assertThat(holders.asked).hasSizeLessThan(10);
    }

    @Test
    void aHolderThatSendsNothingForNowIsAskedAgainUntilItIsTooSlow() throws Exception {
        holders.fault = (bytes, worker) -> {
            throw new CopyRefusedException("enough for now", Optional.of(Duration.ofSeconds(1)));
        };
        fetch(FIRST);
        assertNothingTaken();
        assertThat(rests).hasSizeBetween(50, 70);
    }

    @Test
    void moreBytesThanAFileHasAreRefused() throws Exception {
        holders.fault = (bytes, worker) -> new byte[5_000_000];
        fetch(FIRST);
        assertNothingTaken();
    }

    @Test
    void aListThatLacksAFileMakesNoShard() throws Exception {
        holders.lists = list -> new CopyList(
                list.head(),
                list.files().stream()
                        .filter(file -> !file.name().endsWith(".sst"))
                        .toList());
        fetch(FIRST);
        assertNothingTaken();
    }

    @Test
    void whatCannotBeOpenedIsTakenFromTheNextHolder() {
        holder(SECOND);
        holders.lists = list -> holders.asked.get(holders.asked.size() - 1).endsWith(FIRST.toString())
                ? new CopyList(
                        list.head(),
                        list.files().stream()
                                .filter(file -> !file.name().endsWith(".sst"))
                                .toList())
                : list;
        fetch(FIRST, SECOND);
        assertThat(taken()).isEqualTo(RECORDS);
    }

    @Test
    void aHolderThatDoesNotAnswerIsAskedOnce() throws Exception {
        fetch(SECOND);
        assertNothingTaken();
        assertThat(holders.asked).containsExactly("list " + SECOND);
        assertThat(rests).isEmpty();
    }

    @Test
    void aListThatNamesAPathIsNone() throws Exception {
        holders.lists = list -> {
            CopiedFile file = list.files().get(0);
            return new CopyList(list.head(), List.of(new CopiedFile("../x", file.bytes(), file.sha256())));
        };
        fetch(FIRST);
        assertNothingTaken();
        assertThat(directory.resolve("x")).doesNotExist();
    }

    @Test
    void aCopyThatWouldNotBeTrustedOnDiskIsNotTaken() throws Exception {
        fetch(new ShardOrigin("topic-2", ORIGIN.table()), RECORDS, 0, FIRST);
        assertNothingTaken();
        fetch(new ShardOrigin(ORIGIN.topicId(), "id in 8 partitions"), RECORDS, 0, FIRST);
        assertNothingTaken();
        clock.advance(Duration.ofHours(85));
        fetch(FIRST);
        assertNothingTaken();
        assertThat(holders.asked).allMatch(call -> call.startsWith("list"));
    }

    @Test
    void aCopyOfAnotherFormatIsNotTaken() throws Exception {
        holders.lists = list -> {
            CopyHead head = list.head();
            return new CopyList(
                    new CopyHead(head.copy(), head.format() + 1, head.origin(), head.nextOffset(), head.lastCaughtUp()),
                    list.files());
        };
        fetch(FIRST);
        assertNothingTaken();
    }

    @Test
    void aCopyThatSparesLittleIsNotTaken() throws Exception {
        fetch(ORIGIN, RECORDS, RECORDS - 500, FIRST);
        assertThat(holders.asked).containsExactly("list " + FIRST);
        assertNothingTaken();
    }

    @Test
    void aHolderMayHaveReadFurtherThanTheTopicWasAMomentAgo() {
        fetch(ORIGIN, RECORDS - 500, 0, FIRST);
        assertThat(taken()).isEqualTo(RECORDS);
    }

    @Test
    void aHolderThatHasOthersToServeIsAskedAgain() throws Exception {
        for (int other = 0; other < HeldCopies.MOST_COPIES; other++) {
            Objects.requireNonNull(holders.workers.get(FIRST)).begin(ID);
        }
        fetch(FIRST);
        // The others' copies went, as nobody asked for them.
        assertThat(taken()).isEqualTo(RECORDS);
        assertThat(rests).hasSizeBetween(12, 13).containsOnly(Duration.ofSeconds(5));
    }

    @Test
    void aShardThatIsNotWantedAnyMoreIsLeftAndGoesOnWhereItWas() {
        holders.fault = (bytes, worker) -> {
            wanted.set(holders.asked.size() < 20);
            return bytes;
        };
        fetch(FIRST);
        assertThat(directory.resolve("taker").resolve(ID.toString())).doesNotExist();
        assertThat(taker.leftovers().find())
                .as("what is left is looked after")
                .hasSize(1)
                .allMatch(left -> left.shard().isEmpty());

        wanted.set(true);
        holders.fault = (bytes, worker) -> bytes;
        long before = holders.bytes;
        fetch(FIRST);
        assertThat(taken()).isEqualTo(RECORDS);
        long second = holders.bytes - before;
        assertThat(second).isLessThan(bytesOfACopy() - 100_000);
    }

    @Test
    void withoutAWorkerThatHasItThereIsNothing() throws Exception {
        fetch();
        fetch(SECOND);
        assertNothingTaken();
    }
}
