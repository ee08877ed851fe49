package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.writer.commit.WritesRefusedException;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What goes wrong with one topic concerns its table alone. */
class LocalGenerationsTest {
    private final RelayFixture fixture = new RelayFixture(100);

    @Test
    void aTopicThatCannotBeUsedStopsItsTableAlone() throws Exception {
        fixture.log.object("movies", "its cleanup.policy is delete");
        fixture.run();

        fixture.put(1, "a");
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.idle();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
        assertThat(fixture.heartbeat(0)).map(Heartbeat::frontier).contains(version(1));
        assertThat(fixture.status.refusal("customers")).isEmpty();
        assertThat(fixture.status.refusal()).isEmpty();
        assertThatThrownBy(() -> fixture.putMovie("m"))
                .isInstanceOf(WritesRefusedException.class)
                .hasMessageContaining("its cleanup.policy is delete");
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.RUNNING);
    }

    @Test
    void aTopicOfWhichNothingIsToldAtTheStartKeepsTheQuestionOpenWhetherSomethingWasLost() throws Exception {
        fixture.run();
        fixture.log.hide("movies", true);
        fixture.stores()
                .ledger()
                .unsettled(fixture.stores().facts().lastCommit().version());
        fixture.restart(0);
        fixture.run();

        assertThat(fixture.status.refusal())
                .hasValueSatisfying(text -> assertThat(text).contains("no leader"));
        fixture.log.hide("movies", false);
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.status.refusal()).isEmpty();
    }

    @Test
    void aTopicThatIsRefusedAfterNothingWasToldOfItHoldsUpItsTableAlone() throws Exception {
        fixture.run();
        fixture.log.hide("movies", true);
        fixture.stores()
                .ledger()
                .unsettled(fixture.stores().facts().lastCommit().version());
        fixture.restart(0);
        fixture.run();
        assertThat(fixture.status.refusal()).isPresent();

        fixture.log.hide("movies", false);
        fixture.log.object("movies", "its cleanup.policy is delete");
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.status.refusal()).isEmpty();
        assertThat(fixture.status.refusal("movies"))
                .hasValueSatisfying(text -> assertThat(text).contains("its cleanup.policy is delete"));
        fixture.put(1, "a");
        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
    }

    @Test
    void whatWasLeftOutIsPublishedOnceTheTopicCanBeUsed() throws Exception {
        fixture.run();
        fixture.log.refuseRecords("movies", true);
        fixture.putMovie("one");
        fixture.run();
        assertThat(fixture.held("movies")).contains(TableHold.Kind.REFUSED);
        assertThat(fixture.backlog.records("movies")).isEqualTo(1);
        assertThat(fixture.backlog.oldest("movies")).isPresent();

        fixture.put(1, "a");
        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(2L);
        assertThat(fixture.movies()).isEmpty();

        fixture.log.refuseRecords("movies", false);
        fixture.clock.advance(Duration.ofSeconds(16));
        fixture.run();
        assertThat(fixture.held("movies")).isEmpty();
        assertThat(fixture.movies()).containsExactly(1L);
        assertThat(fixture.backlog.records("movies")).isZero();
    }

    @Test
    void aTopicThatIsDeletedStopsItsTableAloneAndIsFilledOnceItIsThereAgain() throws Exception {
        fixture.run();
        fixture.log.deleteTopic("movies");
        fixture.putMovie("one");
        fixture.put(1, "a");
        fixture.run();
        fixture.clock.advance(Duration.ofMillis(200));
        fixture.run();

        assertThat(fixture.held("movies")).contains(TableHold.Kind.WAITING);
        assertThat(fixture.sequencesOf(1)).containsExactly(2L);
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.RUNNING);
        assertThat(fixture.status.refusal("movies")).isEmpty();
        fixture.clock.advance(Duration.ofSeconds(3));
        fixture.run();
        assertThat(fixture.held("movies")).isEmpty();
        assertThat(fixture.movies()).containsExactly(1L);
    }

    @Test
    void soItIsWhereTheProcessEndsMeanwhile() throws Exception {
        fixture.run();
        fixture.log.refuseRecords("movies", true);
        fixture.putMovie("one");
        fixture.run();
        fixture.put(1, "a");
        fixture.run();
        fixture.log.refuseRecords("movies", false);

        fixture.restart(0);
        fixture.run();

        assertThat(fixture.movies()).containsExactly(1L);
    }

    @Test
    void whatIsCommittedWhileNothingIsToldOfATopicIsPublishedByTheNextProcess() throws Exception {
        fixture.run();
        fixture.log.hide("movies", true);
        fixture.restart(0);
        fixture.run();
        fixture.putMovie("one");
        fixture.run();
        assertThat(fixture.held("movies")).contains(TableHold.Kind.WAITING);
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(1);

        fixture.log.hide("movies", false);
        fixture.restart(0);
        fixture.run();

        assertThat(fixture.movies()).containsExactly(1L);
    }

    @Test
    void theOutboxDoesNotFillWhileOneTableIsHeld() throws Exception {
        fixture.run();
        fixture.log.refuseRecords("movies", true);
        fixture.putMovie("one");
        fixture.run();
        for (int i = 0; i < 3_000; i++) {
            fixture.put(i % 7, "t" + i);
            if (i % 500 == 0) {
                fixture.run();
            }
        }
        fixture.run();

        assertThat(fixture.backlog.overflow()).isEmpty();
        assertThat(fixture.stores().outbox().lowWaterMark()).isGreaterThan(2_000);
    }

    @Test
    void deletesThatTheOutboxNoLongerHoldsArePublishedAgain() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.run();
        int kept = fixture.log.records("customers", RelayFixture.partitionOf(1)).size();
        fixture.delete(1);
        for (int i = 0; i < 1_200; i++) {
            fixture.put(2 + i % 10, "town" + i);
        }
        fixture.run();
        int partition = RelayFixture.partitionOf(1);
        fixture.log.truncate(
                "customers",
                partition,
                fixture.log.records("customers", partition).size() - kept);

        fixture.restart(0);
        fixture.run();

        assertThat(fixture.sequencesOf(1)).endsWith(2L);
        assertThat(fixture.log.published())
                .filteredOn(publication -> publication.message() instanceof ChangeEvent.Deleted)
                .extracting(publication -> publication.expectation().offset())
                .as("what is behind it is published later")
                .last()
                .isEqualTo(ExpectedPosition.UNKNOWN);
    }

    @Test
    void nothingIsPublishedOfATableThatLeftTheCatalog() throws Exception {
        fixture.run();
        fixture.putMovie("one");
        fixture.left.add("movies");
        fixture.put(1, "a");
        int before = movieRecords();
        for (int i = 0; i < 5; i++) {
            fixture.clock.advance(RelayFixture.HEARTBEAT);
            fixture.idle();
            fixture.run();
        }

        assertThat(fixture.sequencesOf(1)).containsExactly(2L);
        assertThat(movieRecords()).isEqualTo(before);
        assertThat(fixture.status.held()).isEmpty();
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(2);
    }

    private int movieRecords() {
        return IntStream.range(0, TestTables.MOVIES.partitions())
                .map(partition -> fixture.log.records("movies", partition).size())
                .sum();
    }

    @Test
    void aTableIsHeldWhileItsTopicIsBeingMade() throws Exception {
        fixture.log.setDown(true);
        fixture.run();
        assertThat(fixture.status.state().detail()).isNotEmpty();

        fixture.log.setDown(false);
        fixture.waitForRetry();
        Set<TableHold.Kind> kinds = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            fixture.step();
            fixture.held("customers").ifPresent(kinds::add);
        }
        assertThat(kinds).contains(TableHold.Kind.WAITING);
        assertThat(fixture.held("customers")).isEmpty();
    }

    @Test
    void remembersWhatWasHeldHowOftenAndWhatIsUnderWay() {
        RelayStatus status = new RelayStatus();
        HeldTables held = new HeldTables(2, status);
        AtomicBoolean done = new AtomicBoolean();
        TableHold waiting = new TableHold(TableHold.Kind.WAITING, "why");

        held.hold("a", waiting, List.of(sending(done)));
        held.hold("a", waiting, List.of());
        held.leave("b");

        assertThat(held.times("a")).isEqualTo(2);
        assertThat(held.times("b")).isZero();
        assertThat(held.names()).containsExactly("a", "b");
        assertThat(held.isQuiet("a")).isFalse();
        done.set(true);
        assertThat(held.isQuiet("a")).isTrue();
        assertThat(status.held()).containsOnlyKeys("a");

        held.leave("a");
        assertThat(status.held()).isEmpty();
        held.hold("c", waiting, List.of());
        held.clear();
        assertThat(held.isHeld("c")).isFalse();
        held.lookAt("a", Instant.MIN);
        assertThat(held.takeToLookAt()).containsOnlyKeys("a");
        assertThat(held.takeToLookAt()).isEmpty();
    }

    private static EventPublisher.Sending sending(AtomicBoolean done) {
        return new EventPublisher.Sending() {
            @Override
            public boolean isDone() {
                return done.get();
            }

            @Override
            public AppendedOffsets appended() {
                return new AppendedOffsets();
            }
        };
    }

    @Test
    void theTopicOfATableThatLeftTheCatalogCanGo() throws Exception {
        fixture.run();
        fixture.putMovie("one");
        fixture.log.setDown(true);
        fixture.run();
        fixture.left.add("movies");
        fixture.log.setDown(false);
        fixture.waitForRetry();
        fixture.log.deleteTopic("movies");
        fixture.put(1, "a");
        fixture.run();
        fixture.clock.advance(Duration.ofMinutes(1));
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(2L);
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(2);
        assertThat(fixture.log.hasTopic("movies")).isFalse();
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.RUNNING);

        fixture.restart(0);
        fixture.run();
        assertThat(fixture.log.hasTopic("movies")).isFalse();
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.RUNNING);
    }

    @Test
    void anEmptyTopicInThePlaceOfOursIsMadeAnew() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.log.makeTopic("customers", 1);

        fixture.restart(0);
        fixture.run();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
        assertThat(fixture.log.records("customers", 3)).isNotEmpty();
    }

    @Test
    void anotherWritersTopicInThePlaceOfOursIsRefused() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.log.makeTopic("customers", 4);
        fixture.log.intrude("customers", 2, new Heartbeat(fixture.clock.instant(), version(900)));

        fixture.restart(0);
        fixture.run();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.status.refusal("customers"))
                .hasValueSatisfying(text -> assertThat(text).contains("another writer may use it"));
        assertThat(fixture.status.refusal("movies")).isEmpty();
    }
}
