package dev.tidemark.worker.copy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.rocks.RocksResources;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.testkit.SettableClock;

import static dev.tidemark.worker.copy.WrittenShard.ID;
import static dev.tidemark.worker.copy.WrittenShard.ORIGIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeldCopiesTest {
    private static final long RECORDS = 3_000;

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);
    private final SettableClock clock = new SettableClock(WrittenShard.NOON);

    @TempDir
    private Path directory = Path.of("");

    private RocksShardStores stores;
    private ShardStore store;
    private HeldCopies copies;

    @BeforeEach
    void write() {
        stores = new RocksShardStores(directory.resolve("shards"), resources, 0, 0);
        store = stores.open(ID, ORIGIN);
        WrittenShard.write(store, 0, RECORDS);
        copies = copies(Long.MAX_VALUE / 2);
    }

    @AfterEach
    void close() {
        store.close();
        resources.close();
    }

    private HeldCopies copies(long bytesPerSecond) {
        return new HeldCopies(directory.resolve("copies"), stores, new ByteRate(bytesPerSecond, clock), clock);
    }

    @Test
    void aCopySaysWhatItIsAndHasTheFilesThatItListsInRangesOfABoundedLength() throws Exception {
        HeldCopies.Offer offer = copies.begin(ID);
        CopyHead head = offer.head();
        assertThat(head.origin()).isEqualTo(ORIGIN);
        assertThat(head.nextOffset()).isEqualTo(RECORDS);
        assertThat(head.lastCaughtUp()).isEqualTo(WrittenShard.NOON);
        assertThat(head.format()).isEqualTo(3);
        assertThat(offer.files().keySet()).contains("CURRENT").anyMatch(name -> name.endsWith(".sst"));
        for (String name : offer.files().keySet()) {
            CopiedFile file = copies.summed(head.copy(), name);
            Path taken = directory.resolve(name);
            Files.write(taken, whole(head.copy(), file));
            assertThat(CopiedFile.sumOf(taken)).isEqualTo(file.sha256());
            assertThat(Files.size(taken)).isEqualTo(file.bytes()).isEqualTo(copies.length(head.copy(), name));
        }
    }

    private byte[] whole(String copy, CopiedFile file) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (out.size() < file.bytes()) {
            ByteBuffer piece = copies.read(copy, file.name(), out.size(), Long.MAX_VALUE);
            assertThat(piece.remaining()).isBetween(1, HeldCopies.MOST_BYTES);
            byte[] sent = new byte[piece.remaining()];
            piece.get(sent);
            out.write(sent);
        }
        return out.toByteArray();
    }

    @Test
    void aShardThatIsClosedIsCopiedToo() throws Exception {
        store.close();
        assertThat(copies.begin(ID).head().nextOffset()).isEqualTo(RECORDS);
        // Its directory goes, as when it is leftover; the copy stays.
        HeldCopies.Offer offer = copies.begin(ID);
        stores.drop(ID);
        CopiedFile file = copies.summed(offer.head().copy(), offer.files().lastKey());
        assertThat(whole(offer.head().copy(), file)).hasSize((int) file.bytes());
        store = stores.open(ID, ORIGIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "../../instance.id", "/etc/passwd", "LOG", "LOCK", "IDENTITY", "", "."})
    void onlyNamesOfTheListAreRead(String name) throws Exception {
        String copy = copies.begin(ID).head().copy();
        assertRefused(() -> copies.read(copy, name, 0, 10), Optional.empty());
        assertRefused(() -> copies.summed(copy, name), Optional.empty());
        assertRefused(() -> copies.read("../" + copy, "CURRENT", 0, 10), Optional.empty());
    }

    @Test
    void rangesOutsideOfAFileAreRefused() throws Exception {
        HeldCopies.Offer offer = copies.begin(ID);
        long length = offer.files().getOrDefault("CURRENT", 0L);
        assertRefused(() -> copies.read(offer.head().copy(), "CURRENT", length, 10), Optional.empty());
        assertRefused(() -> copies.read(offer.head().copy(), "CURRENT", -1, 10), Optional.empty());
        assertRefused(() -> copies.read(offer.head().copy(), "CURRENT", 0, 0), Optional.empty());
        assertThat(copies.read(offer.head().copy(), "CURRENT", length - 1, 10).remaining())
                .isEqualTo(1);
    }

    @Test
    void fewCopiesAreMadeAtATime() throws Exception {
        String first = copies.begin(ID).head().copy();
        for (int more = 1; more < HeldCopies.MOST_COPIES; more++) {
            copies.begin(ID);
        }
        assertRefused(() -> copies.begin(ID), Optional.of(Duration.ofSeconds(5)));
        copies.release(first);
        copies.release(first);
        copies.begin(ID);
        assertRefused(() -> copies.begin(ID), Optional.of(Duration.ofSeconds(5)));
    }

    @Test
    void aCopyThatNobodyAsksForGoesAfterAMinute() throws Exception {
        String idle = copies.begin(ID).head().copy();
        String busy = copies.begin(ID).head().copy();
        clock.advance(HeldCopies.MAX_IDLE);
        copies.read(busy, "CURRENT", 0, 10);
        clock.advance(Duration.ofMillis(1));
        copies.run();
        assertRefused(() -> copies.read(idle, "CURRENT", 0, 10), Optional.empty());
        assertThat(copies.read(busy, "CURRENT", 0, 10).remaining()).isEqualTo(10);
        assertThat(onDisk()).containsExactly(busy);
    }

    @Test
    void whatAnEarlierRunHadIsGone() throws Exception {
        copies.begin(ID);
        copies(1);
        assertThat(directory.resolve("copies")).doesNotExist();
    }

    @Test
    void noMoreThanTheRateIsSent() throws Exception {
        HeldCopies slow = copies(10_000);
        HeldCopies.Offer offer = slow.begin(ID);
        String table = offer.files().keySet().stream()
                .filter(name -> name.endsWith(".sst") && offer.files().getOrDefault(name, 0L) > 30_000)
                .findFirst()
                .orElseThrow();
        assertThat(slow.read(offer.head().copy(), table, 0, 20_000).remaining()).isEqualTo(10_000);
        assertRefused(() -> slow.read(offer.head().copy(), table, 10_000, 20_000), Optional.of(Duration.ofSeconds(1)));
        clock.advance(Duration.ofSeconds(1));
        assertThat(slow.read(offer.head().copy(), table, 10_000, 20_000).remaining())
                .isEqualTo(10_000);
    }

    @Test
    void givesNothingOfShardsThatItDoesNotHaveAsAWhole() throws Exception {
        assertRefused(() -> copies.begin(new ShardId("films", 0)), Optional.empty());
        ShardId empty = new ShardId("films", 1);
        try (ShardStore restoring = stores.open(empty, ORIGIN)) {
            assertRefused(() -> copies.begin(empty), Optional.empty());
            assertThat(restoring.checkpoint().nextOffset()).isZero();
        }
        assertThat(directory.resolve("copies")).isEmptyDirectory();
        HeldCopies none = copies(0);
        assertRefused(() -> none.begin(ID), Optional.empty());
    }

    private Stream<String> onDisk() throws Exception {
        try (Stream<Path> children = Files.list(directory.resolve("copies"))) {
            return children.map(child -> child.getFileName().toString()).toList().stream();
        }
    }

    private interface Question {
        void ask() throws Exception;
    }

    private static void assertRefused(Question question, Optional<Duration> retryAfter) {
        assertThatThrownBy(question::ask)
                .isInstanceOfSatisfying(
                        CopyRefusedException.class,
                        refused -> assertThat(refused.retryAfter()).isEqualTo(retryAfter));
    }
}
