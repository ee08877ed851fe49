package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.digest.RowTerms;

import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;

/** What the topic of a layout holds while its table grows, and afterwards. */
@Execution(ExecutionMode.CONCURRENT)
class GrowthTest {
    private static final int PARTITIONS = 7;
    private static final String LAYOUT = "customers.2";

    private final RelayFixture fixture = new RelayFixture();

    @Test
    void theLayoutHoldsEveryRowWholeInItsPartitionBeforeItsFirstHeartbeat() throws Exception {
        for (int id = 0; id < 20; id++) {
            fixture.put(id, "Redmond");
        }
        fixture.delete(19);
        fixture.run();
        grow();

        assertThat(fixture.log.records(LAYOUT, 0)).isNotEmpty();
        for (int id = 0; id < 19; id++) {
            ChangeEvent.Upserted stated = newest(id, ChangeEvent.Upserted.class);
            assertThat(stated.operation()).isEqualTo(UpsertKind.READ);
            assertThat(stated.row()).isEqualTo(customer(id, "Redmond"));
        }
        assertThat(records().filter(ChangeEvent.class::isInstance)).hasSize(19);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<ChangeMessage> held = fixture.log.records(LAYOUT, partition);
            int first = IntStream.range(0, held.size())
                    .filter(i -> held.get(i) instanceof Heartbeat)
                    .findFirst()
                    .orElseThrow();
            assertThat(held.subList(first, held.size())).allMatch(Heartbeat.class::isInstance);
        }
    }

    @Test
    void laterChangesGoToBothLayoutsWithTheSameVersion() throws Exception {
        grow();
        fixture.put(1, "Redmond");
        fixture.put(1, "Tacoma");
        fixture.delete(1);
        runFor(Duration.ofSeconds(1));

        List<ChangeEvent> ours = events(1);
        assertThat(ours).hasSize(3).last().isInstanceOf(ChangeEvent.Deleted.class);
        assertThat(fixture.log.records("customers", customerKey(1).partition(4)).stream()
                        .filter(ChangeEvent.class::isInstance)
                        .map(ChangeEvent.class::cast))
                .isEqualTo(ours);

        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        fixture.restart(0);
        runFor(Duration.ofSeconds(2));
        assertThat(events(1)).last().isInstanceOf(ChangeEvent.Forgotten.class);
    }

    @Test
    void aHeartbeatHasTheDigestOfThatPartitionOfTheLayout() throws Exception {
        fixture.put(1, "Redmond");
        fixture.put(2, "Tacoma");
        grow();
        fixture.put(2, "Kent");
        fixture.put(3, "Kent");
        runFor(Duration.ofSeconds(30));

        long generation = fixture.definitions()
                .index("customers", "by_town")
                .orElseThrow()
                .current()
                .id();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Digest expected = Digest.EMPTY;
            for (int id : List.of(1, 2, 3)) {
                if (customerKey(id).partition(PARTITIONS) == partition) {
                    ChangeEvent.Upserted row = newest(id, ChangeEvent.Upserted.class);
                    expected = expected.plus(terms().of(row.key(), row.row())
                            .getOrDefault(generation, EntryTerms.NONE)
                            .at(row.version()));
                }
            }
            assertThat(newestWithDigests(partition).digests()).containsEntry(generation, expected);
        }
    }

    @Test
    void aLayoutGoesOnWhileItsIndexesChange() throws Exception {
        fixture.put(1, "Redmond");
        fixture.run();
        grow();
        define(PARTITIONS, "by_town: {key: [town], projection: keys_only}, by_zip: {key: [zip]}");
        fixture.idle();
        fixture.step();

        assertThat(fixture.held(LAYOUT)).isEmpty();
        runFor(Duration.ofSeconds(2));
        assertThat(events(1)).hasSize(1);
    }

    @Test
    void aLayoutThatAnswersIsFilledAgainWhileWhatReplacesItsIndexIsPaused() throws Exception {
        grow();
        fixture.put(1, "Redmond");
        runFor(Duration.ofSeconds(1));
        order(IndexOperation.Kind.RETIRE);
        define(PARTITIONS, "by_town: {key: [town], projection: keys_only}");
        order(IndexOperation.Kind.PAUSE);
        fixture.log.deleteTopic(LAYOUT);
        fixture.put(2, "Kent");
        runFor(Duration.ofSeconds(20));

        assertThat(fixture.held(LAYOUT)).isEmpty();
        assertThat(events(1)).isNotEmpty();
        assertThat(events(2)).isNotEmpty();
    }

    @Test
    void theTopicOfALayoutThatNoIndexIsInIsDeleted() throws Exception {
        grow();
        assertThat(fixture.log.hasTopic(LAYOUT)).isTrue();
        define(4);
        order(IndexOperation.Kind.RETIRE);
        runFor(Duration.ofSeconds(1));

        assertThat(fixture.log.hasTopic(LAYOUT)).isFalse();
        assertThat(fixture.stores().ledger().tables()).doesNotContain(LAYOUT);
    }

    @Test
    void theTopicIsDeletedThoughItWasBeingLookedAtWhenItsLayoutWasLeft() throws Exception {
        grow();
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        fixture.stepUnanswered();
        order(IndexOperation.Kind.CANCEL);
        fixture.stepUnanswered();
        runFor(Duration.ofSeconds(1));

        assertThat(fixture.log.hasTopic(LAYOUT)).isFalse();
    }

    @Test
    void theTopicIsDeletedThoughTheProcessEndedBeforeItUsedIt() throws Exception {
        fixture.run();
        define(PARTITIONS);
        fixture.idle();
        fixture.step();
        fixture.step();
        fixture.step();
        order(IndexOperation.Kind.CANCEL);
        fixture.step();
        assertThat(fixture.log.hasTopic(LAYOUT)).as("it was just made").isTrue();
        fixture.restart(0);
        runFor(Duration.ofSeconds(1));

        assertThat(fixture.log.hasTopic(LAYOUT)).isFalse();
    }

    @Test
    void theTopicIsDeletedThoughNotingThatItLacksAChangeFailed() throws Exception {
        grow();
        fixture.log.mute(LAYOUT, true);
        fixture.put(1, "Redmond");
        fixture.step();
        order(IndexOperation.Kind.CANCEL);
        fixture.disk.failNextWrite(new IllegalStateException("the database is away"));
        fixture.step();
        fixture.waitForRetry();
        runFor(Duration.ofSeconds(1));

        assertThat(fixture.log.hasTopic(LAYOUT)).isFalse();
    }

    private void order(IndexOperation.Kind kind) throws Exception {
        fixture.define(
                fixture.definitions().with(new IndexOperation(kind, "customers", "by_town"), fixture.clock.instant()));
    }

    private void grow() throws Exception {
        define(PARTITIONS);
        runFor(Duration.ofSeconds(2));
    }

    private void define(int partitions) throws Exception {
        define(partitions, "by_town: {key: [town], projection: all}");
    }

    private void define(int partitions, String indexes) throws Exception {
        fixture.define(fixture.definitions()
                .changed(
                        CatalogReader.read(
                                "c",
                                "tables: {customers: {primaryKey: customerId, partitions: " + partitions
                                        + ", indexes: {" + indexes + "}},"
                                        + " movies: {primaryKey: [title, year], partitions: 2}}"),
                        fixture.clock.instant()));
    }

    private RowTerms terms() {
        return new RowTerms(fixture.definitions().generations("customers"));
    }

    private void runFor(Duration time) throws InterruptedException {
        for (long left = time.toMillis(); left > 0; left -= 10) {
            fixture.idle();
            fixture.addUp();
            fixture.step();
            fixture.clock.advance(Duration.ofMillis(10));
        }
    }

    private Stream<ChangeMessage> records() {
        return IntStream.range(0, PARTITIONS)
                .boxed()
                .flatMap(partition -> fixture.log.records(LAYOUT, partition).stream());
    }

    private Heartbeat newestWithDigests(int partition) {
        return fixture.log.records(LAYOUT, partition).stream()
                .filter(Heartbeat.class::isInstance)
                .map(Heartbeat.class::cast)
                .filter(heartbeat -> !heartbeat.digests().isEmpty())
                .reduce((older, newer) -> newer)
                .orElseThrow();
    }

    /** What the partition of a row says of it. */
    private List<ChangeEvent> events(int id) {
        return fixture.log.records(LAYOUT, customerKey(id).partition(PARTITIONS)).stream()
                .filter(ChangeEvent.class::isInstance)
                .map(ChangeEvent.class::cast)
                .filter(event -> event.key().equals(customerKey(id)))
                .toList();
    }

    private <T extends ChangeEvent> T newest(int id, Class<T> kind) {
        List<ChangeEvent> all = events(id);
        return kind.cast(all.get(all.size() - 1));
    }
}
