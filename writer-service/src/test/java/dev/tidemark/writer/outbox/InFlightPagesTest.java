package dev.tidemark.writer.outbox;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

/** What messages say that are sent before those before them are acknowledged, and what becomes of tables then. */
class InFlightPagesTest {
    private final RelayFixture fixture = new RelayFixture();

    @Test
    void expectsRecordsBehindThoseThatAreUnderWay() throws Exception {
        fixture.run();
        long end = fixture.log.records("customers", RelayFixture.partitionOf(1)).size();
        fixture.log.setSilent(true);
        for (int i = 0; i < 3; i++) {
            fixture.put(1, "a");
            fixture.step();
        }

        assertThat(expectations()).extracting(ExpectedPosition::offset).containsExactly(end, end + 1, end + 2);
    }

    @Test
    void eachProducerHasANumberAboveThoseOfAllBefore() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.step();
        fixture.put(1, "b");
        fixture.step();
        fixture.put(1, "c");
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();

        List<Long> sessions =
                expectations().stream().map(ExpectedPosition::session).toList();
        assertThat(sessions).hasSize(3).allMatch(session -> session > 0);
        assertThat(sessions.get(1)).isEqualTo(sessions.get(0));
        assertThat(sessions.get(2)).isGreaterThan(sessions.get(1));
    }

    @Test
    void aTableOfWhichNothingIsLeftOutIsNotPublishedAgain() throws Exception {
        fixture.putMovie("one");
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, "a");
        fixture.step();
        fixture.log.object("movies", "its cleanup.policy is delete");
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        fixture.step();
        fixture.step();
        assertThat(fixture.held("movies")).contains(TableHold.Kind.REFUSED);

        fixture.log.setSilent(false);
        fixture.log.object("movies", "");
        fixture.waitForRetry();
        fixture.put(1, "b");
        fixture.run();

        assertThat(fixture.held("movies")).isEmpty();
        assertThat(fixture.movies()).containsExactly(1L);
    }

    @Test
    void aLossThatAHeartbeatTellsOfIsNotForgottenWhenOthersMakeUpForItInNumber() throws Exception {
        fixture.put(1, "a");
        fixture.put(1, "lost");
        fixture.put(1, "lost too");
        fixture.run();
        int partition = RelayFixture.partitionOf(1);
        // And heartbeats.
        fixture.log.truncate(
                "customers",
                partition,
                fixture.log.records("customers", partition).size() - 1);
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.step();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.WAITING);

        for (int i = 0; i < 5; i++) {
            fixture.log.intrude("customers", partition, new Heartbeat(fixture.clock.instant(), new RowVersion(1, 3)));
        }
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).contains(2L).endsWith(3L);
    }

    @Test
    void whatIsLeftOutWaitsAlsoAfterARestartUntilItsTopicIsFilled() throws Exception {
        refuseMovies();
        fixture.putOwnMovie("left out");
        fixture.run();
        assertThat(waitingMovies()).isEqualTo(1);

        fixture.restart(0);
        assertThat(waitingMovies()).isEqualTo(1);
        assertThat(fixture.backlog.oldest("movies")).isPresent();

        fixture.log.mute("movies", true);
        fillMovies();
        fixture.restart(0);
        assertThat(waitingMovies()).isEqualTo(1);

        fixture.log.mute("movies", false);
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.held("movies")).isEmpty();
        assertThat(waitingMovies()).isZero();
        fixture.restart(0);
        assertThat(waitingMovies()).isZero();
    }

    @Test
    void whatAPageLeftOutWaitsUntilItsTopicIsFilledThoughTheTableIsNotHeldAnyMore() throws Exception {
        refuseMovies();
        fixture.log.mute("customers", true);
        fixture.put(1, "a");
        fixture.putOwnMovie("left out");
        fixture.step();
        fixture.log.mute("movies", true);
        fillMovies();
        assertThat(waitingMovies()).isEqualTo(1);

        fixture.log.mute("customers", false);
        fixture.step();
        assertThat(fixture.backlog.records("customers")).isZero();
        assertThat(waitingMovies()).isEqualTo(1);

        fixture.log.mute("movies", false);
        fixture.put(1, "b");
        fixture.run();
        assertThat(waitingMovies()).isZero();
    }

    @Test
    void whatAPageLeftOutWaitsNoLongerOnceItsTopicIsFilled() throws Exception {
        refuseMovies();
        fixture.log.mute("customers", true);
        fixture.put(1, "a");
        fixture.putOwnMovie("left out");
        fixture.step();
        fillMovies();
        fixture.run();

        fixture.log.mute("customers", false);
        fixture.run();
        assertThat(fixture.backlog.records("customers")).isZero();
        assertThat(waitingMovies()).isZero();
    }

    private void refuseMovies() throws Exception {
        fixture.put(1, "first");
        fixture.run();
        fixture.log.object("movies", "its cleanup.policy is delete");
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        fixture.run();
        assertThat(fixture.held("movies")).contains(TableHold.Kind.REFUSED);
    }

    private void fillMovies() throws InterruptedException {
        fixture.log.object("movies", "");
        fixture.waitForRetry();
        for (int i = 0; i < 20; i++) {
            fixture.step();
        }
        assertThat(fixture.held("movies")).isEmpty();
    }

    private long waitingMovies() {
        return fixture.backlog.records("movies");
    }

    /** What was said of where changes are expected. */
    private List<ExpectedPosition> expectations() {
        return fixture.log.published().stream()
                .filter(publication -> publication.message() instanceof ChangeEvent)
                .map(Publication::expectation)
                .toList();
    }
}
