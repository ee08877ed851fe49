package dev.tidemark.writer.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.index.Condition;
import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.Order;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.MAX_ROW_BYTES;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;

/** A committer that keeps digests, against sums over the whole table made anew. */
class FactDigestsTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("dev.tidemark");
    private static final int ROWS = 15;
    private static final int STEPS = 300;
    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final CommitPosition START = new CommitPosition(new RowVersion(1, 0), Instant.EPOCH);

    private final InMemoryDisk disk = new InMemoryDisk();
    private final ManualClock clock = new ManualClock();

    /** Those of a table without indexes, so that rows come in that an index cannot hold. */
    private final RowRules rules = rules(List.of());

    private Definitions definitions = Definitions.first(catalog(List.of(byTown(new Projection.All()))), Instant.EPOCH);
    private Running process = start();
    private final List<CompletableFuture<List<CommitOutcome>>> waiting = new ArrayList<>();
    private int compared;

    private record Running(Committer committer, FactDigests digests, TableDigestBuilder sums) {}

    /** Faults are reported by whoever meets them. */
    @BeforeAll
    static void beQuiet() {
        LOGGER.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOGGER.setLevel(null);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000, 2_000, 3_000})
    void whatIsKeptIsWhatTheTableGivesWhateverHappens(long first) throws Exception {
        for (long seed = first; seed < first + 15; seed++) {
            Random random = new Random(seed);
            for (int step = 0; step < STEPS; step++) {
                step(random);
                requireExact("seed " + seed + ", step " + step);
            }
        }

        settle();
        assertThat(stored()).isEqualTo(expected());
        assertThat(compared).isGreaterThan(200);
    }

    @Test
    void nothingIsKnownOfAnIndexBeforeItsTableHasBeenAddedUp() throws Exception {
        put(1, "a");
        process.committer().doWork();

        assertThat(process.digests().latest()).isEmpty();
        assertThat(stored()).isEmpty();

        process.sums().doWork();
        put(2, "b");
        process.committer().doWork();

        assertThat(stored()).isEqualTo(expected());
        assertThat(process.digests().latest()).isPresent();
    }

    @Test
    void whatIsStoredNeedNotBeAddedUpAgain() throws Exception {
        put(1, "a");
        settle();
        put(2, "b");
        process.committer().doWork();

        process = start();
        put(1, "c");
        process.committer().doWork();

        assertThat(stored()).isEqualTo(expected()).isNotEmpty();
        assertThat(process.digests().latest()).isPresent();
    }

    @Test
    void aGenerationThatIsGoneIsForgotten() throws Exception {
        put(1, "a");
        settle();

        definitions = definitions.changed(catalog(List.of()), Instant.EPOCH);
        clock.advance(INTERVAL);
        process.committer().doWork();

        assertThat(stored()).isEmpty();
        int writes = disk.writes();
        process.committer().doWork();
        assertThat(disk.writes()).as("once").isEqualTo(writes);
    }

    @Test
    void marksAreMadeOfTimesAtWhichNothingIsWritten() throws Exception {
        put(1, "a");
        settle();
        long before = process.digests().latest().orElseThrow().number();

        clock.advance(INTERVAL);
        process.committer().doWork();

        assertThat(process.digests().latest()).hasValueSatisfying(mark -> {
            assertThat(mark.at().time()).isEqualTo(clock.instant());
            assertThat(mark.number()).isEqualTo(before + 1).isPositive();
        });
    }

    @Test
    void aCommitThatCameToPassAlthoughItFailedCounts() throws Exception {
        FailingFactStore store = new FailingFactStore(WriterStores.on(disk).facts());
        process = start(store);
        put(1, "a");
        settle();

        store.failAfterCommit(new IllegalStateException("no answer"));
        put(1, "b");
        process.committer().doWork();
        put(1, "c");
        process.committer().doWork();
        settle();

        assertThat(WriterStores.on(disk).facts().lastCommit().version().sequence())
                .isEqualTo(3);
        assertThat(stored()).isEqualTo(expected());
    }

    @Test
    void digestsThatCouldNotBeStoredAreNotStoredInPart() throws Exception {
        FailingFactStore store = new FailingFactStore(WriterStores.on(disk).facts());
        List<Long> oneOfEach = IntStream.range(0, CUSTOMERS.partitions())
                .mapToObj(partition -> LongStream.iterate(1, id -> id + 1)
                        .filter(id -> CUSTOMERS.partitionOf(customerKey(id)) == partition)
                        .findFirst()
                        .orElseThrow())
                .toList();
        process = start(store);
        addUpInVain(store, oneOfEach.get(0));
        process = start(store);
        put(oneOfEach.get(0), "b");
        for (long id : oneOfEach.subList(1, oneOfEach.size())) {
            addUpInVain(store, id);
        }

        process = start(store);
        settle();

        assertThat(stored()).isEqualTo(expected());
    }

    /** The digests are known and not stored when a row is written. */
    private void addUpInVain(FailingFactStore store, long id) throws Exception {
        process.committer().doWork();
        process.sums().doWork();
        store.failKeep();
        clock.advance(INTERVAL);
        put(id, "a");
        process.committer().doWork();
    }

    @Test
    void aSumThatNobodyWantsAnyMoreIsNotMadeToItsEnd() {
        long generation = definitions.generations("customers").get(0).id();
        assertThat(closedAfter(digests -> {
                    definitions = definitions.changed(catalog(List.of()), Instant.EPOCH);
                    digests.advance(START, clock.instant());
                }))
                .as("its index is gone")
                .isOne();
        definitions = Definitions.first(catalog(List.of(byTown(new Projection.All()))), Instant.EPOCH);
        assertThat(closedAfter(FactDigests::startAgain)).as("it is begun again").isOne();
        assertThat(closedAfter(digests -> {
                    DigestDelta delta = new DigestDelta();
                    delta.lose(List.of(generation));
                    digests.moved(delta);
                }))
                .as("what it would be added to is lost")
                .isOne();
        assertThat(closedAfter(digests -> digests.advance(START, clock.instant())))
                .as("it goes on")
                .isZero();
    }

    /** Whether a snapshot without an end, of which a piece was added up, is let go of when something happens. */
    private int closedAfter(Consumer<FactDigests> event) {
        Endless snapshot = new Endless(START);
        TableDigestBuilder sums = new TableDigestBuilder();
        FactDigests digests = digests(sums, List.<FactSnapshot>of(snapshot).iterator());
        digests.advance(START, clock.instant());
        sums.doWork();
        event.accept(digests);
        sums.doWork();
        return snapshot.closed;
    }

    @Test
    void aSumThatCameToNoEndIsBegunOnceMore() {
        Endless unreadable = new Endless(START);
        unreadable.broken = true;
        Endless good = new Endless(START);
        TableDigestBuilder sums = new TableDigestBuilder();
        FactDigests digests =
                digests(sums, List.<FactSnapshot>of(unreadable, good).iterator());

        digests.advance(START, clock.instant());
        sums.doWork();
        digests.advance(START, clock.instant());
        sums.doWork();

        assertThat(unreadable.closed).isOne();
        assertThat(good.read).isPositive();
    }

    @Test
    void aSnapshotOfAnotherMomentIsLetGoOfAndAskedForAgainAfterAWhile() {
        Endless early = new Endless(new CommitPosition(new RowVersion(1, 7), Instant.EPOCH));
        Endless good = new Endless(START);
        TableDigestBuilder sums = new TableDigestBuilder();
        FactDigests digests = digests(sums, List.<FactSnapshot>of(early, good).iterator());

        digests.advance(START, clock.instant());
        assertThat(early.closed).isOne();
        clock.advance(INTERVAL.minusNanos(1));
        digests.advance(START, clock.instant());
        sums.doWork();
        assertThat(good.read).isZero();

        clock.advance(Duration.ofNanos(1));
        digests.advance(START, clock.instant());
        sums.doWork();

        assertThat(good.read).isPositive();
        assertThat(early.read).isZero();
    }

    private FactDigests digests(TableDigestBuilder sums, Iterator<FactSnapshot> snapshots) {
        FailingFactStore store = new FailingFactStore(WriterStores.on(disk).facts());
        store.giveSnapshots(snapshots::next);
        return new FactDigests(store, () -> definitions, sums, INTERVAL);
    }

    /** The same row again and again. */
    private static final class Endless implements FactSnapshot {
        private final CommitPosition point;
        private boolean broken;
        private int read;
        private int closed;

        Endless(CommitPosition point) {
            this.point = point;
        }

        @Override
        public CommitPosition point() {
            return point;
        }

        @Override
        public KeyedRow next() {
            if (broken) {
                throw new IllegalStateException("a block is gone");
            }
            read++;
            return new KeyedRow(
                    customerKey(1), new StoredRow(new RowVersion(1, 1), Instant.EPOCH, TestTables.customer(1, "a")));
        }

        @Override
        public void close() {
            closed++;
        }
    }

    @Test
    void aRowThatWasAcceptedByOlderDefinitionsCountsByThoseInForce() throws Exception {
        settle();
        ObjectNode row =
                RowJson.mapper().createObjectNode().put("customerId", 1).put("town", "a");
        RowRules older = rules(definitions.generations("customers"));
        WriteCommand.Put put = older.accept(customerKey(1), row);
        definitions = definitions.changed(catalog(List.of(byTown(new Projection.KeysOnly()))), Instant.EPOCH);
        settle();

        assertThat(put.terms()).isNotEmpty();
        submit(WriteRequest.of("customers", put, 10).checkedBy(rules));
        process.committer().doWork();

        assertThat(stored()).isEqualTo(expected());
        assertThat(stored().values()).anyMatch(digest -> !digest.equals(Digest.EMPTY));
    }

    private void step(Random random) throws Exception {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> submit(request(random));
            case 4, 5, 6, 7 -> process.committer().doWork();
            case 8 -> process.sums().doWork();
            case 9 -> clock.advance(Duration.ofMillis(random.nextInt(60)));
            case 10 -> rarely(random);
            default -> process.committer().doWork();
        }
    }

    private void rarely(Random random) {
        switch (random.nextInt(6)) {
            case 0 -> {
                process.sums().onClose();
                disk.crash(random.nextInt(disk.unsynced() + 1));
                process = start();
            }
            case 1 -> disk.failNextWrite(new IllegalStateException("disk full"));
            default -> definitions = definitions.changed(catalog(indexes(random)), Instant.EPOCH);
        }
    }

    /** Whenever digests are told of the place where the table is, they are exact. */
    private void requireExact(String when) {
        FactStore store = WriterStores.on(disk).facts();
        Optional<DigestCheckpoint> mark = process.digests()
                .latest()
                .filter(told -> told.at().version().equals(store.lastCommit().version()));
        if (mark.isEmpty()) {
            return;
        }
        Map<DigestKey, Digest> expected = expected();
        for (int partition = 0; partition < CUSTOMERS.partitions(); partition++) {
            int here = partition;
            mark.get().of("customers", partition).forEach((generation, digest) -> {
                if (definitions.generations("customers").stream().anyMatch(one -> one.id() == generation)) {
                    assertThat(digest)
                            .as(when + ", generation " + generation)
                            .isEqualTo(expected.getOrDefault(new DigestKey(generation, here), Digest.EMPTY));
                    compared++;
                }
            });
        }
    }

    private void settle() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            clock.advance(INTERVAL);
            process.committer().doWork();
            process.sums().doWork();
        }
    }

    private Map<DigestKey, Digest> stored() {
        return WriterStores.on(disk).facts().digests();
    }

    private Map<DigestKey, Digest> expected() {
        Map<DigestKey, Digest> expected = new HashMap<>();
        for (Generation generation : definitions.generations("customers")) {
            for (int partition = 0; partition < CUSTOMERS.partitions(); partition++) {
                expected.put(new DigestKey(generation.id(), partition), Digest.EMPTY);
            }
            EntryDeriver deriver = new EntryDeriver(generation.definition());
            for (KeyedRow row : WriterStores.on(disk)
                    .facts()
                    .scan("customers", null, 1_000, Long.MAX_VALUE)
                    .rows()) {
                DigestKey key = new DigestKey(generation.id(), CUSTOMERS.partitionOf(row.key()));
                expected.merge(key, digest(deriver, row), Digest::plus);
            }
        }
        return expected;
    }

    private static Digest digest(EntryDeriver deriver, KeyedRow row) {
        try {
            DerivedEntries derived = deriver.derive(row.key(), row.stored().row());
            KeyBytes carried = derived.carried() == null
                    ? KeyBytes.EMPTY
                    : KeyBytes.wrap(derived.carried().bytes());
            Digest sum = Digest.EMPTY;
            for (KeyBytes key : derived.keys()) {
                sum = sum.plus(EntryDigest.ofEntry(
                        key, EntryDigest.fingerprint(carried), row.stored().version()));
            }
            return sum;
        } catch (UnindexableRowException e) {
            return Digest.EMPTY;
        }
    }

    private void put(long id, String town) throws Exception {
        ObjectNode row =
                RowJson.mapper().createObjectNode().put("customerId", id).put("town", town);
        WriteCommand command = new WriteCommand.Put(customerKey(id), RowDocument.of(row), Precondition.NONE);
        submit(WriteRequest.of("customers", command, 10));
    }

    /** Hands in; whether it comes to pass, the table tells. */
    private void submit(WriteRequest request) throws Exception {
        waiting.add(process.committer().submit(request, Duration.ZERO));
    }

    private WriteRequest request(Random random) throws RowRefusedException {
        List<WriteCommand> commands = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            commands.add(command(random));
        }
        WriteRequest request = new WriteRequest("customers", commands, random.nextInt(3) == 0, 10);
        return random.nextBoolean() ? request : request.checkedBy(rules);
    }

    private WriteCommand command(Random random) throws RowRefusedException {
        long id = random.nextInt(ROWS);
        KeyBytes key = customerKey(id);
        return switch (random.nextInt(4)) {
            case 0 -> new WriteCommand.Delete(key, Precondition.NONE);
            case 1 ->
                new WriteCommand.Patch(
                        key, RowJson.mapper().createObjectNode().put("size", random.nextInt(5)), Precondition.NONE);
            case 2 -> new WriteCommand.Put(key, row(id, random), Precondition.NONE);
            default ->
                rules(definitions.generations("customers"))
                        .accept(key, row(id, random).tree());
        };
    }

    /** Rules that refuse nothing for an index. */
    private static RowRules rules(List<Generation> generations) {
        return new RowRules(
                new TableDefinition(CUSTOMERS.name(), CUSTOMERS.primaryKey(), CUSTOMERS.partitions(), List.of()),
                generations,
                MAX_ROW_BYTES,
                0);
    }

    private static RowDocument row(long id, Random random) {
        ObjectNode row = RowJson.mapper().createObjectNode().put("customerId", id);
        if (random.nextInt(5) > 0) {
            row.put("town", "t" + random.nextInt(3));
        }
        if (random.nextInt(5) > 0) {
            row.put("size", random.nextInt(5));
        }
        // Now and then something that the index on tags cannot hold.
        if (random.nextInt(6) == 0) {
            row.put("tags", "none");
        } else {
            ArrayNode tags = row.putArray("tags");
            for (int i = random.nextInt(4); i > 0; i--) {
                tags.add("x" + random.nextInt(3));
            }
        }
        return RowDocument.of(row);
    }

    private static List<IndexDefinition> indexes(Random random) {
        List<IndexDefinition> indexes = new ArrayList<>();
        indexes.add(byTown(
                random.nextBoolean()
                        ? new Projection.All()
                        : random.nextBoolean()
                                ? new Projection.KeysOnly()
                                : new Projection.Fields(List.of(FieldPath.parse("size")))));
        if (random.nextBoolean()) {
            indexes.add(new IndexDefinition(
                    "customers",
                    "by_tag",
                    List.of(new KeyPart(FieldPath.parse("tags"), Order.ASC, true)),
                    new Projection.KeysOnly(),
                    RowFilter.NONE));
        }
        if (random.nextBoolean()) {
            FieldPath size = FieldPath.parse("size");
            indexes.add(new IndexDefinition(
                    "customers",
                    "big",
                    List.of(new KeyPart(size, Order.DESC, false)),
                    new Projection.KeysOnly(),
                    new RowFilter(
                            List.of(new Condition(size, Condition.Operator.GTE, List.of(FieldValue.Num.of(3)))))));
        }
        return indexes;
    }

    private static IndexDefinition byTown(Projection projection) {
        return new IndexDefinition("customers", "by_town", List.of(KeyPart.of("town")), projection, RowFilter.NONE);
    }

    private static Catalog catalog(List<IndexDefinition> indexes) {
        return new Catalog(List.of(
                new TableDefinition(CUSTOMERS.name(), CUSTOMERS.primaryKey(), CUSTOMERS.partitions(), indexes)));
    }

    private Running start() {
        return start(WriterStores.on(disk).facts());
    }

    private Running start(FactStore store) {
        TableDigestBuilder sums = new TableDigestBuilder();
        FactDigests digests = new FactDigests(store, () -> definitions, sums, INTERVAL);
        Committer committer = new Committer(
                store,
                digests,
                () -> Map.of("customers", rules),
                new CommitterLimits(100, 1_000_000, 5, Duration.ofNanos(1)),
                MemoryBudget.unlimited().part("queue", 1),
                table -> Optional.empty(),
                clock,
                List.of());
        return new Running(committer, digests, sums);
    }
}
