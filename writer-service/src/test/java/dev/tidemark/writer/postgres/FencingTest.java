package dev.tidemark.writer.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.BadInputException;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.leader.TermHolder;
import dev.tidemark.writer.outbox.TopicRecord;
import dev.tidemark.writer.testkit.SetClock;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.update;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/** Of several writers, and of several connections of one writer, one commits. */
class FencingTest {
    private static final TopicRecord WHOLE = new TopicRecord("a", true, Map.of(0, 5L), Map.of(0, 3L), 0, 0);

    private final TestServer server = TestServer.of(TestServer.Version.ARCHIVE_17);
    private final FactsSettings settings = server.database();
    private PostgresFactDatabase first = PostgresFixture.open(settings);

    @BeforeEach
    void commitOnce() {
        first.facts().commit(batch(put(1, 1, "a")));
    }

    @AfterEach
    void close() {
        first.close();
        server.giveBack(settings);
    }

    @Test
    void aWriterThatStandsByReadsATableThatTheOtherHasAddedSince() {
        TableDefinition added = new TableDefinition("added", TestTables.CUSTOMERS.primaryKey(), 2, List.of());
        Catalog larger = new Catalog(List.of(TestTables.CUSTOMERS, TestTables.MOVIES, added));
        try (PostgresFactDatabase other = PostgresFixture.standBy(settings, larger, Clock.systemUTC())) {
            assertThat(first.facts().find("added", customerKey(1))).isNull();
            assertThat(other.facts().find("customers", customerKey(1))).isNotNull();
        }
    }

    @Test
    void aWriterThatWasDisplacedCommitsNothingAndEnds() {
        try (PostgresFactDatabase second = PostgresFixture.open(settings)) {
            assertThatThrownBy(() -> first.facts().commit(batch(put(2, 2, "lost"))))
                    .isInstanceOf(FactsUnavailableException.class)
                    .hasMessageContaining("another writer has taken the right to commit");
            assertThat(first.failure())
                    .hasValueSatisfying(why -> assertThat(why).contains("another writer"));
            assertThat(first.terms().orElseThrow().renew()).isFalse();

            second.facts().commit(batch(put(2, 2, "kept")));

            assertThat(second.facts().find("customers", customerKey(2)))
                    .satisfies(row -> assertThat(row.row()).isEqualTo(customer(2, "kept")));
            assertThat(sequences(second)).containsExactly(1L, 2L);
            assertThat(second.failure()).isEmpty();
        }
    }

    @Test
    void aWriterThatWasDisplacedTakesNoCommitOfAnotherOneForItsOwn() {
        try (PostgresFactDatabase second = PostgresFixture.open(settings)) {
            second.facts().commit(batch(put(2, 2, "b")));

            assertThatThrownBy(() -> first.facts().currentCommit())
                    .isInstanceOf(FactsUnavailableException.class)
                    .hasMessageContaining("another writer has taken the right to commit");
            assertThat(second.facts().currentCommit().version()).isEqualTo(version(2));
            assertThat(first.failure()).isPresent();
        }
    }

    @Test
    void aWriterThatWasDisplacedChangesNothingElseEither() {
        try (PostgresFactDatabase second = PostgresFixture.open(settings)) {
            second.ledger().unsettled(version(7));

            assertThatThrownBy(() -> first.ledger().unsettled(version(1))).hasMessageContaining("another writer");
            first.ledger().settled();
            assertThatThrownBy(() -> first.facts().reserveTimestamps(timeOf(9))).hasMessageContaining("another writer");
            assertThatThrownBy(() -> first.facts().keepDigests(Map.of(), Set.of(1L)))
                    .hasMessageContaining("another writer");

            assertThat(second.ledger().unsettled()).contains(version(7));
            assertThat(second.facts().lastCommit().time()).isEqualTo(timeOf(1));
        }
    }

    /** It was about to trim when it stood still, and the other one has read the marks meanwhile. */
    @Test
    void aWriterThatWasDisplacedTrimsNothingThatTheOtherOneStillNeeds() {
        commitUpToEight();
        first.outbox().markPublished(8);
        try (PostgresFactDatabase second = PostgresFixture.open(settings)) {
            assertThatThrownBy(() -> first.outbox().trim(5)).hasMessageContaining("another writer");

            assertThat(sequences(second)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
            assertThat(first.failure()).isPresent();
        }
        try (PostgresFactDatabase third = PostgresFixture.open(settings)) {
            assertThat(third.outbox().lowWaterMark()).isZero();
        }
    }

    @Test
    void aWriterThatWasDisplacedMarksNothingAsPublished() {
        try (PostgresFactDatabase second = PostgresFixture.open(settings)) {
            assertThatThrownBy(() -> first.outbox().markPublished(1)).hasMessageContaining("another writer");

            assertThat(first.failure()).isPresent();
            assertThat(second.failure()).isEmpty();
        }
        try (PostgresFactDatabase third = PostgresFixture.open(settings)) {
            assertThat(third.outbox().publishedThrough()).isZero();
        }
    }

    /** Its connections stay open. The acknowledgement is of changes that the copy lacks. */
    @Test
    void aMarkThatWaitsUntilAnOlderCopyIsInPlaceIsNotMadeThere() throws Exception {
        commitUpToEight();
        first.outbox().markPublished(2);
        try (var restoring = server.connect(settings);
                var statement = restoring.createStatement()) {
            restoring.setAutoCommit(false);
            statement.execute("LOCK TABLE tidemark.marks, tidemark.writer IN ACCESS EXCLUSIVE MODE");
            CompletableFuture<Void> mark =
                    CompletableFuture.runAsync(() -> first.outbox().markPublished(8));
            await().until(() -> isWaitedFor(statement));
            for (int slot = 0; slot < OutboxSlots.SLOTS; slot++) {
                statement.execute("DELETE FROM tidemark.outbox_" + slot + " WHERE sequence > 3");
            }
            statement.execute("UPDATE tidemark.writer SET sequence = 3");
            restoring.commit();

            assertThatThrownBy(() -> mark.get(10, TimeUnit.SECONDS)).hasMessageContaining("put back");
        }
        assertThat(first.failure()).isPresent();
        assertThatThrownBy(() -> first.outbox().makeMarksDurable()).hasMessageContaining("put back");
        assertThatThrownBy(() -> first.outbox().trim(5)).hasMessageContaining("put back");
        try (PostgresFactDatabase second = PostgresFixture.open(settings)) {
            assertThat(second.outbox().publishedThrough()).isEqualTo(2);
            assertThat(second.outbox().lowWaterMark()).isZero();
            assertThat(sequences(second)).containsExactly(1L, 2L, 3L);
        }
    }

    private static boolean isWaitedFor(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND database"
                + " = (SELECT oid FROM pg_database WHERE datname = current_database()))")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    @Test
    void aWriterEndsWhereMoreCountsAsPublishedThanIsCommitted() {
        server.execute(settings, "UPDATE tidemark.marks SET published = 2");
        try (PostgresFactDatabase second = openOnly()) {
            CommitTerms others = second.terms().orElseThrow();

            assertThatThrownBy(() -> others.take(others.holder(), "http://other", "there"))
                    .hasMessageContaining("put the database back");
            assertThat(second.failure()).isPresent();
        }
    }

    @Test
    void aNoteOfTheHolderDoesNotWaitForACommitThatIsUnderWay() throws Exception {
        try (var committing = server.connect(settings);
                var statement = committing.createStatement()) {
            committing.setAutoCommit(false);
            statement.execute("UPDATE tidemark.writer SET sequence = sequence WHERE id = 1");

            CompletableFuture.runAsync(() -> first.ledger().save("customers", WHOLE, false))
                    .get(10, TimeUnit.SECONDS);

            committing.rollback();
        }
        first.facts().commit(batch(put(2, 2, "b")));
        assertThat(first.ledger().find("customers")).contains(WHOLE);
    }

    @Test
    void theRightIsNotTakenWhileANoteOfTheHolderIsUnderWay() throws Exception {
        first.ledger().save("customers", WHOLE, true);
        try (PostgresFactDatabase second = openOnly();
                var blocker = server.connect(settings);
                var statement = blocker.createStatement()) {
            CommitTerms others = second.terms().orElseThrow();
            blocker.setAutoCommit(false);
            // The note locks the row of the writer and then waits here.
            statement.execute("SELECT value FROM tidemark.settings FOR UPDATE");
            TopicRecord later = new TopicRecord("a", true, Map.of(0, 9L), Map.of(0, 4L), 0, 0);
            CompletableFuture<Void> note =
                    CompletableFuture.runAsync(() -> first.ledger().save("customers", later, false));
            assertThatThrownBy(() -> note.get(1, TimeUnit.SECONDS)).isNotNull();

            CompletableFuture<Boolean> taken =
                    CompletableFuture.supplyAsync(() -> others.take(others.holder(), "http://other", "there"));

            assertThatThrownBy(() -> taken.get(1, TimeUnit.SECONDS)).isNotNull();
            blocker.rollback();
            note.get(10, TimeUnit.SECONDS);
            assertThat(taken.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(second.ledger().find("customers")).contains(later);
            assertThatThrownBy(() -> first.ledger().save("customers", WHOLE, false))
                    .hasMessageContaining("another writer");
        }
    }

    @Test
    void theRightGoesToWhoSawTheHolderLast() {
        CommitTerms terms = first.terms().orElseThrow();
        Optional<TermHolder> seen = terms.holder();
        assertThat(terms.renew()).isTrue();
        try (PostgresFactDatabase second = openOnly()) {
            CommitTerms others = second.terms().orElseThrow();

            assertThat(others.take(seen, "http://other", "there")).isFalse();
            assertThat(others.take(Optional.empty(), "http://other", "there")).isFalse();
            Optional<TermHolder> beforeACommit = others.holder();
            first.facts().commit(batch(put(2, 2, "b")));
            assertThat(others.take(beforeACommit, "http://other", "there")).isFalse();

            assertThat(others.take(others.holder(), "http://other", "there")).isTrue();
            assertThat(others.holder()).hasValueSatisfying(holder -> {
                assertThat(holder.url()).isEqualTo("http://other");
                assertThat(holder.term()).isGreaterThan(seen.orElseThrow().term());
            });
            assertThat(terms.renew()).isFalse();
            assertThat(others.renew()).isTrue();
        }
    }

    @Test
    void theClockOfTheHolderGoesOnWithTheNextOne() {
        Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
        first.keepClock(ahead);
        try (PostgresFactDatabase second = openOnly()) {
            assertThat(second.continuedClock().orElseThrow()).isCloseTo(ahead.instant(), within(2, ChronoUnit.SECONDS));
            assertThatThrownBy(() -> second.keepClock(Clock.systemUTC())).hasMessageContaining("another writer");
        }
    }

    @Test
    void aClockThatWasSetForwardAndBackGoesOnWithTheNextWriter() {
        AtomicReference<Duration> wrong = new AtomicReference<>(Duration.ZERO);
        Clock clock = new SteadyClock(new SetClock(wrong::get), System::nanoTime);
        first.keepClock(clock);
        wrong.set(Duration.ofHours(1));
        Instant ahead = clock.instant();
        wrong.set(Duration.ZERO);

        first.keepClock(clock);

        try (PostgresFactDatabase second = openOnly()) {
            assertThat(second.continuedClock().orElseThrow())
                    .isAfter(ahead)
                    .isCloseTo(clock.instant(), within(2, ChronoUnit.SECONDS));
        }
    }

    @Test
    void aClockThatRunsAsBeforeIsNotWrittenAgain() {
        first.keepClock(Clock.systemUTC());

        // A slow answer of the server looks like a clock that was set.
        await().untilAsserted(() -> {
            server.execute(settings, "UPDATE tidemark.settings SET value = 'PT5S' WHERE name = 'clock.ahead'");
            first.keepClock(Clock.systemUTC());
            assertThat(first.continuedClock().orElseThrow())
                    .isCloseTo(Instant.now().plusSeconds(5), within(2, ChronoUnit.SECONDS));
        });
    }

    @Test
    void nothingIsCommittedBeforeTheRightWasTaken() {
        try (PostgresFactDatabase second = openOnly()) {
            assertThat(second.terms().orElseThrow().holder()).isPresent();
            assertThatThrownBy(() -> second.facts().commit(batch(put(2, 2, "b"))))
                    .isInstanceOf(IllegalStateException.class);
            first.facts().commit(batch(put(2, 2, "b")));
        }
    }

    /** What it has locked meanwhile stays so until the server gives its transaction up. */
    @Test
    void aWriterThatStandsStillWhileItStartsKeepsTheActiveOneFromNothingAndStartsLater() throws Exception {
        try (FlakyProxy proxy = new FlakyProxy(server.port())) {
            proxy.freezeAt("FROM tidemark.tables");
            CompletableFuture<PostgresFactDatabase> starting =
                    CompletableFuture.supplyAsync(() -> openOnly(proxy.through(settings)));
            await().until(proxy::isBroken);

            CompletableFuture.runAsync(() -> first.facts().commit(batch(put(2, 2, "b"))))
                    .get(2, TimeUnit.SECONDS);

            try (PostgresFactDatabase second = starting.get(10, TimeUnit.SECONDS)) {
                assertThat(second.facts().find("customers", customerKey(2))).isNotNull();
            }
        }
    }

    /** The request reached the server, and its answer did not reach the writer. */
    @Test
    void aCommitWhoseAnswerIsLostIsFoundAndNotDoneTwice() throws Exception {
        try (FlakyProxy proxy = new FlakyProxy(server.port());
                PostgresFactDatabase writer = PostgresFixture.open(proxy.through(settings))) {
            writer.facts().commit(batch(put(2, 2, "b")));
            proxy.breakAt("marked", true);

            writer.facts().commit(batch(put(3, 3, "marked")));

            assertThat(proxy.isBroken()).isTrue();
            writer.facts().commit(batch(update(4, 3, "after")));
            assertThat(sequences(writer)).containsExactly(1L, 2L, 3L, 4L);
            assertThat(writer.failure()).isEmpty();
        }
    }

    @Test
    void aCommitThatNeverReachedTheServerIsDoneOnTheNextConnection() throws Exception {
        try (FlakyProxy proxy = new FlakyProxy(server.port());
                PostgresFactDatabase writer = PostgresFixture.open(proxy.through(settings))) {
            writer.facts().commit(batch(put(2, 2, "b")));
            proxy.breakAt("marked", false);

            writer.facts().commit(batch(put(3, 3, "marked")));

            assertThat(proxy.isBroken()).isTrue();
            assertThat(sequences(writer)).containsExactly(1L, 2L, 3L);
        }
    }

    /** The server goes on with a commit that the writer has given up; the row of the writer is locked all the time. */
    @Test
    void aCommitIsNotJudgedWhileTheServerMayStillCarryItOut() throws Exception {
        try (FlakyProxy proxy = new FlakyProxy(server.port());
                PostgresFactDatabase writer = PostgresFixture.open(proxy.through(settings));
                var blocker = server.connect(settings);
                var statement = blocker.createStatement()) {
            writer.facts().commit(batch(put(2, 2, "b")));
            blocker.setAutoCommit(false);
            // The commit updates the row of the writer and then waits here.
            statement.execute("LOCK TABLE tidemark.f_customers IN ACCESS EXCLUSIVE MODE");
            proxy.breakAt("marked", true);
            CompletableFuture<Void> commit =
                    CompletableFuture.runAsync(() -> writer.facts().commit(batch(put(3, 3, "marked"))));

            assertThatThrownBy(() -> commit.get(1, TimeUnit.SECONDS)).isNotNull();
            blocker.commit();

            commit.get(10, TimeUnit.SECONDS);
            assertThat(sequences(writer)).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void whileTheServerIsAwayACommitFailsWithAnUnknownOutcomeThatIsFoundLater() throws Exception {
        try (FlakyProxy proxy = new FlakyProxy(server.port());
                PostgresFactDatabase writer = PostgresFixture.open(proxy.through(settings))) {
            writer.facts().commit(batch(put(2, 2, "b")));
            proxy.refuse(true);
            proxy.breakAt("marked", true);

            assertThatThrownBy(() -> writer.facts().commit(batch(put(3, 3, "marked"))))
                    .isInstanceOf(FactsUnavailableException.class);
            assertThatThrownBy(() -> writer.facts().lastCommit()).isInstanceOf(FactsUnavailableException.class);
            proxy.refuse(false);

            assertThat(writer.facts().lastCommit().version()).isEqualTo(version(3));
            writer.facts().commit(batch(put(4, 4, "d")));
            assertThat(sequences(writer)).containsExactly(1L, 2L, 3L, 4L);
        }
    }

    @Test
    void aWriterWhoseCommitsAreGoneAfterALostConnectionEnds() {
        first.facts().commit(batch(put(2, 2, "b")));
        server.execute(
                settings,
                "UPDATE tidemark.writer SET sequence = 1",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND datname = current_database()");

        assertThatThrownBy(() -> first.facts().commit(batch(put(3, 3, "c"))))
                .isInstanceOf(FactsUnavailableException.class);

        assertThat(first.failure()).hasValueSatisfying(why -> assertThat(why).contains("lack version"));
    }

    @Test
    void aWriterWhoseRenewalsAreGoneAfterALostConnectionEndsBecauseItsNotesMayBeGoneToo() {
        CommitTerms terms = first.terms().orElseThrow();
        assertThat(terms.renew()).isTrue();
        server.execute(
                settings,
                "UPDATE tidemark.writer SET renewals = 0",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND datname = current_database()");

        assertThatThrownBy(() -> first.facts().commit(batch(put(2, 2, "b"))))
                .isInstanceOf(FactsUnavailableException.class);

        assertThat(first.failure()).hasValueSatisfying(why -> assertThat(why).contains("was put back"));
    }

    /** It writes nothing, so only a renewal can notice. */
    @Test
    void aWriterWhoseRenewalsAreGoneBelowAnOpenConnectionEnds() {
        CommitTerms terms = first.terms().orElseThrow();
        for (int i = 0; i < 3; i++) {
            assertThat(terms.renew()).isTrue();
        }
        server.execute(settings, "UPDATE tidemark.writer SET renewals = 2");

        assertThatThrownBy(terms::renew).isInstanceOf(FactsUnavailableException.class);

        assertThat(first.failure()).hasValueSatisfying(why -> assertThat(why).contains("was put back"));
    }

    @Test
    void aWriterWhoseTermIsGoneBelowAnOpenConnectionEnds() {
        CommitTerms terms = first.terms().orElseThrow();
        assertThat(terms.renew()).isTrue();
        server.execute(settings, "UPDATE tidemark.writer SET term = term - 1, renewals = renewals + 7");

        assertThatThrownBy(terms::renew).isInstanceOf(FactsUnavailableException.class);

        assertThat(first.failure()).hasValueSatisfying(why -> assertThat(why).contains("was put back"));
    }

    @Test
    void aWriterThatTookAnotherTermAfterALostConnectionGoesOnToRenewIt() {
        CommitTerms terms = first.terms().orElseThrow();
        assertThat(terms.renew()).isTrue();
        server.execute(
                settings,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND datname = current_database()");
        first.facts().commit(batch(put(2, 2, "b")));

        assertThat(terms.renew()).isTrue();
        assertThat(terms.renew()).isTrue();
        assertThat(first.failure()).isEmpty();
    }

    private void commitUpToEight() {
        for (long sequence = 2; sequence <= 8; sequence++) {
            first.facts().commit(batch(put(sequence, sequence, "x")));
        }
    }

    private PostgresFactDatabase openOnly() {
        return openOnly(settings);
    }

    private static PostgresFactDatabase openOnly(FactsSettings place) {
        try {
            return PostgresFactDatabase.open(place, TestTables.CATALOG, 0, new FactsDamage(), Clock.systemUTC());
        } catch (BadInputException e) {
            throw new AssertionError(e);
        }
    }

    static List<Long> sequences(PostgresFactDatabase database) {
        return database.outbox().readAfter(0, 100, Long.MAX_VALUE).stream()
                .map(CommittedChange::sequence)
                .toList();
    }
}
