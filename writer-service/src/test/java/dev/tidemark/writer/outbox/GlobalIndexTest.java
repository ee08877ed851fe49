package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.RowTerms;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.RowPlacements;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.testkit.InMemoryDisk;

import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.row;
import static org.assertj.core.api.Assertions.assertThat;

/** What the topics of global indexes hold. */
@Execution(ExecutionMode.CONCURRENT)
class GlobalIndexTest {
    private static final int PARTITIONS = 5;
    private static final String BY_TOWN =
            "by_town: {key: [town], projection: all, scope: global, partitions: " + PARTITIONS + "}";
    private static final String SALTED = BY_TOWN.replace("}", ", salt: 3}");
    private static final List<String> TOWNS = List.of("Redmond", "Tacoma", "Everett", "Seattle", "Kent", "Renton");

    private final RelayFixture fixture = new RelayFixture();

    @Test
    void aRowThatMovesIsStatedInItsNewPartitionAndDeletedInItsOldOne() throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        String other = elsewhere(TOWNS.get(0));
        fixture.put(1, other);
        fixture.run();

        assertThat(events(partition(TOWNS.get(0)))).hasSize(2).last().isInstanceOf(ChangeEvent.Deleted.class);
        assertThat(events(partition(other))).singleElement().isInstanceOf(ChangeEvent.Upserted.class);
        assertThat(events(partition(other)).get(0).version())
                .isEqualTo(events(partition(TOWNS.get(0))).get(1).version());
    }

    @Test
    void aSaltSpreadsTheRowsOfATownAndEachStaysInItsPartition() throws Exception {
        begin(SALTED);
        for (int id = 0; id < 40; id++) {
            fixture.put(id % 20, TOWNS.get(0));
        }
        fixture.run();

        assertThat(IntStream.range(0, PARTITIONS)
                        .filter(partition -> !events(partition).isEmpty()))
                .hasSize(3);
        assertThat(stream().filter(ChangeEvent.class::isInstance))
                .hasSize(40)
                .allMatch(ChangeEvent.Upserted.class::isInstance);
        assertIsRight();
    }

    @Test
    void allPartitionsShareWhatTheyHoldOfARow() throws Exception {
        begin(BY_TOWN.replace("[town]", "[{field: town, each: true}]").replace("all", "keys_only"));
        String towns = IntStream.range(0, 40).mapToObj(n -> "'t" + n + "'").collect(Collectors.joining(","));
        fixture.put(1, row("{'customerId':1,'town':[" + towns + "],'about':'long'}"));
        runFor(Duration.ofSeconds(1));
        assertOneDocumentInAll(UpsertKind.CREATE);

        fixture.log.deleteTopic(derived());
        runFor(Duration.ofSeconds(20));
        assertOneDocumentInAll(UpsertKind.READ);
    }

    private void assertOneDocumentInAll(UpsertKind operation) {
        List<RowDocument> rows = stream()
                .filter(ChangeEvent.Upserted.class::isInstance)
                .map(ChangeEvent.Upserted.class::cast)
                .filter(event -> event.operation() == operation)
                .map(ChangeEvent.Upserted::row)
                .toList();
        assertThat(rows).hasSize(PARTITIONS).allSatisfy(row -> assertThat(row).isSameAs(rows.get(0)));
    }

    @Test
    void noPartitionReceivesAHeartbeatBeforeTheWholeFillIsAcknowledged() throws Exception {
        for (int id = 0; id < 20; id++) {
            fixture.put(id, TOWNS.get(id % TOWNS.size()));
        }
        fixture.run();
        fixture.define(BY_TOWN);
        fixture.idle();
        fixture.log.makeTopic(derived(), PARTITIONS);
        fixture.log.mute(derived(), true);
        runFor(Duration.ofSeconds(2));
        assertThat(fixture.held(derived())).contains(TableHold.Kind.REPUBLISHING);
        assertThat(heartbeats()).isZero();

        fixture.log.mute(derived(), false);
        fixture.putMovie("one");
        runFor(Duration.ofSeconds(1));
        assertThat(heartbeats()).isPositive();
        assertIsRight();
        assertThat(stream().filter(ChangeEvent.Upserted.class::isInstance))
                .hasSize(20)
                .allMatch(event -> ((ChangeEvent.Upserted) event).operation() == UpsertKind.READ);
    }

    @Test
    void aChangeOfARowThatIsFilledAlreadyComesBehindTheFill() throws Exception {
        fixture.put(1, TOWNS.get(0));
        fixture.put(2, TOWNS.get(1));
        fixture.run();
        fixture.define(BY_TOWN);
        fixture.idle();
        fixture.log.mute(derived(), true);
        fixture.run();
        assertThat(stream().filter(ChangeEvent.class::isInstance)).hasSize(2);
        fixture.put(1, elsewhere(TOWNS.get(0)));
        fixture.delete(2);
        fixture.log.mute(derived(), false);
        runFor(Duration.ofSeconds(1));

        assertThat(heartbeats()).isPositive();
        assertIsRight();
    }

    @Test
    void aFillBehindThatOfATopicThatIsLostTwiceBeginsWithTheRowsToo() throws Exception {
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        begin();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(2, TOWNS.get(1));
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.log.deleteTopic(derived());
        fixture.log.hide("movies", true);
        fixture.putBack(copy);
        runFor(Duration.ofSeconds(20));
        assertThat(fixture.held("customers")).contains(TableHold.Kind.REPUBLISHING);
        assertThat(fixture.held(derived())).contains(TableHold.Kind.REPUBLISHING);

        fixture.log.deleteTopic("customers");
        runFor(Duration.ofSeconds(20));
        fixture.log.hide("movies", false);
        runFor(Duration.ofSeconds(20));

        assertThat(fixture.held(derived())).isEmpty();
        assertIsRight();
    }

    @Test
    void aFillWaitsUntilTheCommitterPlacesEveryChange() throws Exception {
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        fixture.define(BY_TOWN);
        fixture.run();
        assertThat(fixture.log.hasTopic(derived())).isFalse();

        fixture.idle();
        fixture.run();
        assertThat(fixture.log.hasTopic(derived())).isTrue();
        assertIsRight();
    }

    @Test
    void aHeartbeatComesAfterAllPlacementsUpToItAreAcknowledged() throws Exception {
        begin();
        fixture.run();
        fixture.log.mute(derived(), true);
        fixture.put(1, TOWNS.get(0));
        runFor(Duration.ofSeconds(2));
        assertThat(newestHeartbeat().frontier().sequence()).isZero();

        fixture.log.mute(derived(), false);
        runFor(Duration.ofSeconds(1));
        assertThat(newestHeartbeat().frontier().sequence()).isEqualTo(1);
    }

    @Test
    void aTopicThatAcknowledgesNothingIsLeftOutAfterAWhileAndFilledAgain() throws Exception {
        begin();
        fixture.run();
        fixture.log.mute(derived(), true);
        fixture.put(1, TOWNS.get(0));
        runFor(RelayFixture.PATIENCE.minusSeconds(1));
        assertThat(frontierOfTheTable()).isZero();

        runFor(Duration.ofSeconds(2));
        assertThat(frontierOfTheTable()).isEqualTo(1);
        assertThat(fixture.held(derived())).contains(TableHold.Kind.WAITING);
        assertThat(fixture.status.refusal("customers")).isEmpty();
        fixture.put(1, elsewhere(TOWNS.get(0)));
        fixture.put(2, TOWNS.get(0));
        fixture.delete(2);
        runFor(Duration.ofSeconds(1));

        fixture.log.mute(derived(), false);
        runFor(Duration.ofSeconds(2));
        assertThat(fixture.held(derived())).isEmpty();
        assertThat(newestHeartbeat().frontier().sequence()).isEqualTo(4);
        assertIsRight();
    }

    @ParameterizedTest(name = "with sends that fail every {0} s")
    @ValueSource(longs = {25, 45})
    void aTopicThatAcknowledgesNothingForLongKeepsOtherTopicsWaitingOnce(long timeout) throws Exception {
        begin();
        fixture.run();
        fixture.log.mute(derived(), true);
        fixture.put(1, TOWNS.get(0));
        runFor(RelayFixture.PATIENCE.plusSeconds(1));
        boolean wasFilled = false;
        for (int second = 31; second < 240; second++) {
            if (second % timeout == 0) {
                fixture.log.timeOut(derived());
            }
            fixture.put(second % 3, TOWNS.get(second % 2));
            runFor(Duration.ofSeconds(1));
            long committed = fixture.stores().facts().lastCommit().version().sequence();
            assertThat(frontierOfTheTable()).as("after %s s", second).isBetween(committed - 2, committed);
            wasFilled |= fixture.held(derived()).equals(Optional.of(TableHold.Kind.REPUBLISHING));
        }
        assertThat(wasFilled).isTrue();

        fixture.log.mute(derived(), false);
        fixture.putMovie("one");
        runFor(Duration.ofMinutes(3));
        assertThat(fixture.held(derived())).isEmpty();
        assertIsRight();
    }

    @Test
    void anOutageOfAllTopicsLeavesNothingOut() throws Exception {
        begin();
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, TOWNS.get(0));
        runFor(RelayFixture.PATIENCE.plusSeconds(5));
        assertThat(fixture.held(derived())).isEmpty();
        assertThat(fixture.stores().ledger().find(derived()).orElseThrow().whole())
                .isTrue();

        fixture.log.setSilent(false);
        runFor(Duration.ofSeconds(1));
        assertThat(frontierOfTheTable()).isEqualTo(1);
        assertIsRight();
    }

    @Test
    void aChangeThatIsLostWhileItsTopicAcknowledgesNothingIsPublishedAgain() throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        runFor(Duration.ofSeconds(1));
        int partition = partition(TOWNS.get(0));
        List<ChangeMessage> records = fixture.log.records(derived(), partition);
        int lost = records.size() - records.indexOf(events(partition).get(0));

        fixture.log.mute(derived(), true);
        fixture.log.truncate(derived(), partition, lost);
        runFor(RelayFixture.PATIENCE.plusSeconds(1));
        assertThat(fixture.held(derived())).contains(TableHold.Kind.WAITING);
        assertThat(fixture.log.records(derived(), partition))
                .as("a heartbeat stands where the change was")
                .last()
                .isInstanceOf(Heartbeat.class);

        fixture.log.mute(derived(), false);
        runFor(Duration.ofSeconds(2));
        assertThat(fixture.held(derived())).isEmpty();
        assertIsRight();
    }

    @Test
    void aTopicThatIsRefusedNeitherStopsWritesNorOtherTopics() throws Exception {
        begin();
        fixture.log.refuseRecords(derived(), true);
        fixture.put(1, TOWNS.get(0));
        fixture.putMovie("one");
        runFor(Duration.ofSeconds(1));

        assertThat(fixture.held(derived())).contains(TableHold.Kind.REFUSED);
        assertThat(fixture.status.refusal()).isEmpty();
        assertThat(frontierOfTheTable()).isEqualTo(2);
    }

    @ParameterizedTest(name = "where the log made the topic: {0}")
    @ValueSource(booleans = {false, true})
    void aFillRestsWhileItIsPaused(boolean isMade) throws Exception {
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        fixture.define(BY_TOWN);
        pause();
        if (isMade) {
            fixture.log.makeTopic(derived(), PARTITIONS);
        }
        fixture.idle();
        runFor(Duration.ofSeconds(2));
        fixture.put(2, TOWNS.get(1));
        runFor(Duration.ofSeconds(1));
        assertThat(heartbeats()).isZero();
        assertThat(stream().filter(ChangeEvent.class::isInstance)).isEmpty();

        fixture.define(fixture.definitions().with(order(IndexOperation.Kind.RESUME), fixture.clock.instant()));
        runFor(Duration.ofSeconds(1));
        assertThat(heartbeats()).isPositive();
        assertIsRight();
    }

    @Test
    void aFirstFillRestsAfterARestartToo() throws Exception {
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        fixture.define(BY_TOWN);
        pause();
        fixture.idle();
        runFor(Duration.ofSeconds(2));
        fixture.log.deleteTopic(derived());
        fixture.restart(0);
        runFor(Duration.ofSeconds(20));

        assertThat(fixture.held(derived())).contains(TableHold.Kind.REPUBLISHING);
        assertThat(stream()).isEmpty();
    }

    @ParameterizedTest(name = "where {0} rows were published before")
    @ValueSource(ints = {0, 1})
    void aTopicThatWasWholeIsFilledAgainThoughItsIndexIsPaused(int rows) throws Exception {
        begin();
        for (int id = 0; id < rows; id++) {
            fixture.put(id, TOWNS.get(0));
        }
        runFor(Duration.ofSeconds(1));
        pause();
        fixture.log.deleteTopic(derived());
        runFor(Duration.ofSeconds(20));
        fixture.put(rows, TOWNS.get(0));
        runFor(Duration.ofSeconds(1));

        assertThat(fixture.held(derived())).isEmpty();
        assertThat(stream()).isNotEmpty();
        assertIsRight();
        assertThat(fixture.log.records(derived(), partition(TOWNS.get(0))))
                .last()
                .isInstanceOf(Heartbeat.class);
    }

    @Test
    void aTopicThatCouldNotBeReadInTimeIsFilledAgainThoughItsIndexIsPaused() throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(2, TOWNS.get(1));
        fixture.run();
        pause();
        fixture.log.hide(derived(), true);
        fixture.putBack(copy);
        runFor(Duration.ofSeconds(40));
        fixture.log.hide(derived(), false);
        runFor(Duration.ofSeconds(20));

        assertThat(fixture.held(derived())).isEmpty();
        assertIsRight();
    }

    @Test
    void aTopicThatAnswersIsFilledAgainWhileWhatReplacesItIsPaused() throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        runFor(Duration.ofSeconds(1));
        String answering = derived();
        int partition = partition(TOWNS.get(0));
        retire();
        fixture.define(BY_TOWN.replace("all", "keys_only"));
        pause();
        fixture.log.deleteTopic(answering);
        fixture.put(2, TOWNS.get(0));
        runFor(Duration.ofSeconds(20));

        assertThat(fixture.held(answering)).isEmpty();
        assertThat(fixture.log.records(answering, partition))
                .filteredOn(ChangeEvent.class::isInstance)
                .extracting(message -> ((ChangeEvent) message).key())
                .contains(customerKey(1), customerKey(2));
        assertThat(fixture.log.records(answering, partition)).last().isInstanceOf(Heartbeat.class);
        assertThat(derived()).isNotEqualTo(answering);
        assertThat(stream()).isEmpty();
    }

    @Test
    void aTableThatFollowsAnotherSourceHasItsDerivedTablesOnce() throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        runFor(Duration.ofSeconds(1));
        List<ChangeEvent> before = events(partition(TOWNS.get(0)));
        assertThat(before).hasSize(1);

        Catalog followed = CatalogReader.read(
                "c",
                "tables: {customers: {primaryKey: customerId, partitions: 4, source: {name: shop, table: public.customers},"
                        + " indexes: {" + BY_TOWN + "}}, movies: {primaryKey: [title, year], partitions: 2}}");
        fixture.define(fixture.definitions().changed(followed, fixture.clock.instant()));
        fixture.idle();
        long heartbeats = heartbeats();
        for (int step = 0; step < 100; step++) {
            runFor(Duration.ofMillis(10));
            assertThat(fixture.held(derived())).isEmpty();
        }

        assertThat(events(partition(TOWNS.get(0)))).isEqualTo(before);
        assertThat(heartbeats() - heartbeats).isPositive().isLessThanOrEqualTo(6 * PARTITIONS);
    }

    @Test
    void theTopicOfAGenerationThatIsNoMoreIsDeletedAlsoAfterARestart() throws Exception {
        begin();
        String first = derived();
        retire();
        fixture.define(BY_TOWN.replace("" + PARTITIONS, "3"));
        fixture.idle();
        runFor(Duration.ofSeconds(1));
        String second = derived();
        assertThat(fixture.log.hasTopic(first)).isTrue();
        assertThat(fixture.log.hasTopic(second)).isTrue();

        retire();
        runFor(Duration.ofSeconds(1));
        assertThat(fixture.log.hasTopic(first)).isFalse();
        assertThat(fixture.stores().ledger().tables()).contains(second).doesNotContain(first);

        fixture.define("by_town: {key: [town], projection: all}");
        retire();
        fixture.restart(0);
        fixture.settle();
        assertThat(fixture.log.hasTopic(second)).isFalse();
        assertThat(fixture.stores().ledger().tables()).containsExactlyInAnyOrder("customers", "movies");
    }

    @Test
    void evenWhereItCouldNotBeReadInTimeBefore() throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(2, TOWNS.get(1));
        fixture.run();
        String topic = derived();
        fixture.log.hide(topic, true);
        fixture.putBack(copy);
        runFor(Duration.ofSeconds(40));

        fixture.define("by_town: {key: [town], projection: all}");
        retire();
        fixture.log.hide(topic, false);
        fixture.restart(0);
        fixture.settle();

        assertThat(fixture.log.hasTopic(topic)).isFalse();
    }

    @Test
    void aTopicThatCannotBeLookedAtIsDeletedLaterAndIsNotShownToWait() throws Exception {
        begin();
        String topic = derived();
        fixture.define("by_town: {key: [town], projection: all}");
        fixture.log.hide(topic, true);
        fixture.log.refuseRecords(topic, true);
        fixture.put(1, TOWNS.get(0));
        runFor(Duration.ofSeconds(1));
        assertThat(fixture.held(topic)).contains(TableHold.Kind.REFUSED);
        retire();
        runFor(Duration.ofSeconds(1));
        assertThat(fixture.log.hasTopic(topic)).isTrue();
        assertThat(fixture.status.held()).isEmpty();

        fixture.log.hide(topic, false);
        runFor(Duration.ofMinutes(1));
        assertThat(fixture.log.hasTopic(topic)).isFalse();
        assertThat(fixture.stores().ledger().tables()).doesNotContain(topic);
    }

    @Test
    void aTopicFromATimeThatTheFactTablesHaveLostIsMadeAndFilledAgain() throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        runFor(Duration.ofSeconds(1));
        fixture.stores().ledger().forget(derived());
        fixture.restart(0);
        runFor(Duration.ofSeconds(20));

        assertThat(fixture.held(derived())).isEmpty();
        assertThat(stream().filter(ChangeEvent.class::isInstance))
                .first()
                .isInstanceOfSatisfying(
                        ChangeEvent.Upserted.class,
                        row -> assertThat(row.operation()).isEqualTo(UpsertKind.READ));
        assertIsRight();
    }

    @Test
    void suchATopicIsReadBeforeSoThatNoVersionInItIsGivenAgain() throws Exception {
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        begin();
        fixture.log.refuseRecords("customers", true);
        fixture.put(1, elsewhere(TOWNS.get(0)));
        // So few steps that no heartbeat shows it elsewhere.
        fixture.step();
        fixture.step();
        fixture.log.refuseRecords("customers", false);
        assertThat(stream())
                .anyMatch(message -> message instanceof ChangeEvent change
                        && change.version().sequence() == 2);

        fixture.putBack(copy);
        runFor(Duration.ofSeconds(20));
        fixture.put(2, TOWNS.get(1));
        runFor(Duration.ofSeconds(20));

        assertThat(fixture.stores().facts().lastCommit().version().epoch()).isEqualTo(2);
        assertThat(fixture.held(derived())).isEmpty();
        assertIsRight();
    }

    @Test
    void aPartitionForgetsARowThatHasLeftItLongAgo() throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        fixture.put(1, elsewhere(TOWNS.get(0)));
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        fixture.idle();
        runFor(Duration.ofSeconds(2));

        assertThat(events(partition(TOWNS.get(0)))).last().isInstanceOf(ChangeEvent.Forgotten.class);
        assertThat(events(partition(elsewhere(TOWNS.get(0))))).noneMatch(ChangeEvent.Forgotten.class::isInstance);
        assertThat(fixture.stores().tombstones().due(fixture.clock.instant(), Optional.empty(), 10))
                .isEmpty();
    }

    @Test
    void heartbeatsHaveTheDigestsOfTheirPartitions() throws Exception {
        fixture.put(1, TOWNS.get(0));
        fixture.put(2, TOWNS.get(1));
        begin();
        for (int scan = 0; scan < 4; scan++) {
            fixture.addUp();
        }
        runFor(Duration.ofSeconds(2));
        fixture.put(1, elsewhere(TOWNS.get(0)));
        fixture.put(3, TOWNS.get(2));
        fixture.delete(2);
        runFor(Duration.ofSeconds(3));

        RowTerms terms = new RowTerms(List.of(generation()));
        Map<Integer, Digest> wanted = new HashMap<>();
        for (KeyedRow row : rows()) {
            terms.of(row.key(), row.stored().row())
                    .values()
                    .forEach(given -> given.at(
                                    row.stored().version(), generation().definition())
                            .forEach((partition, digest) -> wanted.merge(partition, digest, Digest::plus)));
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(newestDigest(partition)).isEqualTo(wanted.getOrDefault(partition, Digest.EMPTY));
        }
        assertThat(wanted).hasSize(2);
    }

    private Digest newestDigest(int partition) {
        return fixture.log.records(derived(), partition).stream()
                .filter(Heartbeat.class::isInstance)
                .flatMap(message -> ((Heartbeat) message).digests().values().stream())
                .reduce((older, newer) -> newer)
                .orElseThrow();
    }

    private List<KeyedRow> rows() {
        return fixture.stores()
                .facts()
                .scan("customers", null, 1_000, Long.MAX_VALUE)
                .rows();
    }

    @Test
    void whatAnEpochUndoesIsUndoneInTheTopicToo() throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, elsewhere(TOWNS.get(0)));
        fixture.put(2, TOWNS.get(1));
        fixture.run();

        fixture.putBack(copy);
        fixture.settle();

        assertThat(fixture.stores().facts().lastCommit().version().epoch()).isEqualTo(2);
        assertIsRight();
    }

    @ParameterizedTest(name = "while its topic is not returned for {0} s, and may not be looked at: {1}")
    @CsvSource({"2, false", "40, false", "2, true", "40, true"})
    void whatOnlyTheTopicShowsOfAnEpochIsUndoneToo(long seconds, boolean isForbidden) throws Exception {
        begin();
        fixture.put(1, TOWNS.get(0));
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.log.refuseRecords("customers", true);
        fixture.put(1, elsewhere(TOWNS.get(0)));
        fixture.put(2, TOWNS.get(1));
        // So few steps that no heartbeat shows it elsewhere.
        fixture.step();
        fixture.step();
        fixture.log.refuseRecords("customers", false);
        fixture.log.hide(derived(), !isForbidden);
        fixture.log.forbid(derived(), isForbidden);

        fixture.putBack(copy);
        runFor(Duration.ofSeconds(seconds));
        fixture.log.hide(derived(), false);
        fixture.log.forbid(derived(), false);
        fixture.settle();
        fixture.put(3, TOWNS.get(2));
        runFor(Duration.ofSeconds(20));

        assertThat(fixture.held(derived())).isEmpty();
        assertIsRight();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Map<RowVersion, Set<String>> changes = new HashMap<>();
            for (ChangeEvent event : events(partition)) {
                String what = event.key() + " " + event.getClass().getSimpleName();
                changes.computeIfAbsent(event.version(), none -> new HashSet<>())
                        .add(event instanceof ChangeEvent.Upserted upserted ? what + " " + upserted.row() : what);
            }
            assertThat(changes.values()).as("changes of each version").allMatch(different -> different.size() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theLastRecordOfEachRowIsRightWhateverFails(long seed) throws Exception {
        Random random = new Random(seed);
        RelayFixture any = fixture;
        for (int id = 0; id < 10; id++) {
            any.put(id, TOWNS.get(random.nextInt(TOWNS.size())));
        }
        any.run();
        any.define(seed % 2 == 0 ? BY_TOWN : SALTED);
        for (int i = 0; i < 150; i++) {
            int id = random.nextInt(12);
            switch (random.nextInt(12)) {
                case 0 -> {
                    if (any.stores().facts().find("customers", customerKey(id)) != null) {
                        any.delete(id);
                    }
                }
                case 1 -> any.restart(random.nextInt(any.disk.unsynced() + 1));
                case 2 -> any.log.failAfter(random.nextInt(3));
                case 3 -> any.log.comeLate();
                case 4 -> loseSome(random);
                case 5 -> any.waitForRetry();
                case 6, 7, 8 -> {
                    if (any.status.refusal("customers").isEmpty()) {
                        any.put(id, TOWNS.get(random.nextInt(TOWNS.size())));
                    }
                }
                default -> {
                    any.idle();
                    any.step();
                    any.clock.advance(Duration.ofMillis(random.nextInt(300)));
                }
            }
        }
        any.log.failAfter(Integer.MAX_VALUE);
        any.log.comeLate();
        for (int i = 0; i < 4; i++) {
            any.clock.advance(TopicReconciler.SURE_AFTER);
            any.settle();
        }

        assertThat(any.held(derived())).isEmpty();
        assertThat(heartbeats()).isPositive();
        assertIsRight();
    }

    private void loseSome(Random random) {
        if (fixture.log.hasTopic(derived())) {
            int partition = random.nextInt(PARTITIONS);
            int records = fixture.log.records(derived(), partition).size();
            if (random.nextInt(4) == 0) {
                fixture.log.deleteTopic(derived());
            } else if (records > 0) {
                fixture.log.truncate(derived(), partition, 1 + random.nextInt(records));
            }
        }
    }

    /** Each partition ends with the newest state of every row that it must hold, and holds no other row. */
    private void assertIsRight() {
        Generation generation = generation();
        RowPlacements placements = new RowPlacements(List.of(generation));
        DerivedTable home = DerivedTable.of(generation);
        Map<Integer, Map<KeyBytes, RowVersion>> wanted = new HashMap<>();
        for (KeyedRow row : rows()) {
            StoredRow stored = row.stored();
            SortedSet<Integer> partitions = placements.partitions(home, row.key(), stored.row());
            partitions.forEach(partition ->
                    wanted.computeIfAbsent(partition, none -> new HashMap<>()).put(row.key(), stored.version()));
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Map<KeyBytes, RowVersion> newest = new HashMap<>();
            for (ChangeEvent event : events(partition)) {
                if (event instanceof ChangeEvent.Upserted) {
                    newest.put(event.key(), event.version());
                } else {
                    newest.remove(event.key());
                }
            }
            assertThat(newest).as("partition %s", partition).isEqualTo(wanted.getOrDefault(partition, Map.of()));
        }
    }

    private void begin() throws Exception {
        begin(BY_TOWN);
    }

    private void begin(String index) throws Exception {
        fixture.define(index);
        fixture.idle();
        runFor(Duration.ofSeconds(1));
        assertThat(heartbeats()).isPositive();
    }

    private void pause() throws Exception {
        fixture.define(fixture.definitions().with(order(IndexOperation.Kind.PAUSE), fixture.clock.instant()));
    }

    private void retire() throws Exception {
        fixture.define(fixture.definitions().with(order(IndexOperation.Kind.RETIRE), fixture.clock.instant()));
    }

    private void runFor(Duration time) throws InterruptedException {
        for (long left = time.toMillis(); left > 0; left -= 10) {
            fixture.idle();
            fixture.step();
            fixture.clock.advance(Duration.ofMillis(10));
        }
    }

    private long frontierOfTheTable() {
        return fixture.heartbeat(0).orElseThrow().frontier().sequence();
    }

    private Heartbeat newestHeartbeat() {
        return stream()
                .filter(Heartbeat.class::isInstance)
                .map(Heartbeat.class::cast)
                .reduce((older, newer) -> newer)
                .orElseThrow();
    }

    private long heartbeats() {
        return fixture.log.hasTopic(derived())
                ? stream().filter(Heartbeat.class::isInstance).count()
                : 0;
    }

    private Stream<ChangeMessage> stream() {
        return IntStream.range(0, PARTITIONS)
                .boxed()
                .flatMap(partition -> fixture.log.records(derived(), partition).stream());
    }

    private List<ChangeEvent> events(int partition) {
        return fixture.log.records(derived(), partition).stream()
                .filter(ChangeEvent.class::isInstance)
                .map(ChangeEvent.class::cast)
                .toList();
    }

    private Generation generation() {
        return fixture.definitions().index("customers", "by_town").orElseThrow().current();
    }

    private String derived() {
        return DerivedTable.of(generation()).name();
    }

    private int partition(String town) {
        Generation generation = generation();
        return new RowPlacements(List.of(generation))
                .partitions(DerivedTable.of(generation), customerKey(1), customer(1, town))
                .first();
    }

    private String elsewhere(String town) {
        return TOWNS.stream()
                .filter(other -> partition(other) != partition(town))
                .findFirst()
                .orElseThrow();
    }

    private static IndexOperation order(IndexOperation.Kind kind) {
        return new IndexOperation(kind, "customers", "by_town");
    }
}
