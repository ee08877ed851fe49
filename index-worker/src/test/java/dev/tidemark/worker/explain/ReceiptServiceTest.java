package dev.tidemark.worker.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.index.Absence;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.Progress;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.lag.EndOffsets;
import dev.tidemark.worker.lag.LagSampler;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.FilmShard;
import dev.tidemark.worker.testkit.KnownFacts;
import dev.tidemark.worker.testkit.OwnThread;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReceiptServiceTest {
    private static final String HEAT =
            "{\"id\":1,\"title\":\"Heat\",\"year\":1995,\"kind\":\"film\",\"cast\":[\"Pacino\"]}";
    private static final String SILENT = "{\"id\":1,\"title\":\"Silent\",\"year\":2005,\"kind\":\"film\"}";
    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Optional<Instant> NOW = Optional.of(ChangeLog.at(100));

    private final FilmShard shelf = new FilmShard();
    private final KnownFacts facts = new KnownFacts();
    private Optional<String> refusal = Optional.empty();
    private final WaiterLimit waiting = new WaiterLimit(shelf.bench().progressSignal(), 1);
    private final RowLookup rows = new RowLookup(shelf.bench().lag(), () -> refusal);
    private final ReceiptService receipts = new ReceiptService(
            Tables.inForce(FilmShard.catalog()),
            rows,
            waiting,
            new GlobalReceipts(
                    rows, facts, shard -> Progress.UNKNOWN, (shard, generation) -> Optional.empty(), table -> false));

    @Test
    void visibleSinceItWasAppliedOrNotApplicableForAReason() throws Exception {
        shelf.log().put(5, HEAT);
        shelf.deliver();

        Receipt.OfRow receipt = ofRow(5);
        assertThat(kinds(5)).containsExactly(Kind.VISIBLE, Kind.VISIBLE, Kind.NOT_APPLICABLE, Kind.VISIBLE);
        assertThat(statuses(5)).allMatch(status -> status.since().equals(NOW));
        assertThat(statuses(5).get(2)).isEqualTo(notApplicable(new Absence.Filtered(1)));
        assertThat(receipt.isDecided()).isTrue();
        assertThat(receipt.times())
                .hasValueSatisfying(times -> assertThat(times.committedAt()).isEqualTo(ChangeLog.at(5)));
        shelf.log().put(6, SILENT);
        shelf.deliver();
        assertThat(statuses(6).get(0)).isEqualTo(notApplicable(new Absence.NoValue(0)));
    }

    @Test
    void pendingBehindAtMostSoManyChanges() throws Exception {
        shelf.log().heartbeat(3);
        shelf.deliver();
        facts.put(9, HEAT);

        Receipt.OfRow receipt = ofRow(9);
        assertThat(kinds(9)).hasSize(4).containsOnly(Kind.PENDING);
        assertThat(statuses(9))
                .extracting(RowStatus::ahead)
                .containsOnly(new PendingEstimate(OptionalLong.of(5), Optional.empty()));
        assertThat(receipt.isDecided()).isFalse();
        assertThat(receipt.times()).isEmpty();
    }

    @Test
    void pendingForAtMostWhatThePartitionTakesForAllThatWaits() throws Exception {
        LagSampler sampler = new LagSampler(
                shelf.bench().lag(),
                shards -> new EndOffsets.Ends(Map.of(shelf.shard().id(), 40L), Map.of()),
                shelf.bench().clock());
        for (int second = 1; second <= 2; second++) {
            sampler.run();
            assertThat(eta(61)).as("before the rate is known").isEmpty();
            shelf.log().heartbeat(10 + 2 * second).heartbeat(11 + 2 * second);
            shelf.deliver();
            shelf.bench().clock().advance(Duration.ofSeconds(1));
        }
        sampler.run();
        // 4 of 40 records were applied in two seconds.
        assertThat(eta(61)).contains(Duration.ofSeconds(18));
        shelf.bench().clock().advance(Duration.ofSeconds(60));
        assertThat(eta(61)).isEmpty();
    }

    @Test
    void aWriteThatAVersionHidesWhichTheWriterNeverGaveIsInconsistent() throws Exception {
        shelf.log().put(5, HEAT).put(99_999, SILENT);
        shelf.deliver();
        facts.put(5, HEAT);

        assertThat(kinds(5)).hasSize(4).containsOnly(Kind.INCONSISTENT);
        assertThat(statuses(5)).extracting(RowStatus::held).containsOnly(Optional.of(ChangeLog.version(99_999)));
        assertThat(statuses(5)).extracting(RowStatus::committed).containsOnly(Optional.of(ChangeLog.version(5)));
        facts.away(true);
        assertThat(kinds(5).get(1)).isEqualTo(Kind.SUPERSEDED);
    }

    @Test
    void supersededByANewerVersionWhateverBecameOfThat() throws Exception {
        shelf.log().put(5, HEAT).put(6, SILENT);
        shelf.deliver();
        assertThat(statuses(5).subList(0, 2))
                .containsExactly(
                        superseded(6, new RowPosition.LeftOut(Optional.of(new Absence.NoValue(0)))),
                        superseded(6, RowPosition.of(look(), 2)));
        assertThat(RowPosition.of(look(), 2)).isInstanceOf(RowPosition.Held.class);
        shelf.log().delete(7, "1");
        shelf.deliver();
        assertThat(statuses(5)).containsOnly(superseded(7, new RowPosition.Deleted()));
        shelf.log().forget(7, "1");
        shelf.deliver();
        assertThat(statuses(5)).containsOnly(RowStatus.of(Kind.SUPERSEDED, new RowPosition.Deleted()));
    }

    @Test
    void aDeleteIsVisibleWhenTheEntriesAreGoneAndStaysSo() throws Exception {
        shelf.log().put(5, HEAT).delete(6, "1");
        shelf.deliver();
        assertThat(deleted(6))
                .containsOnly(
                        RowStatus.of(Kind.VISIBLE, new RowPosition.Deleted()).since(NOW));
        shelf.log().forget(6, "1");
        shelf.deliver();
        assertThat(deleted(6)).containsOnly(RowStatus.of(Kind.VISIBLE, new RowPosition.Unknown()));
    }

    @Test
    void quarantinedWithTheReason() throws Exception {
        shelf.log().garbage(5, "1").heartbeat(5);
        shelf.deliver();

        assertThat(kinds(5)).containsOnly(Kind.QUARANTINED);
        assertThat(statuses(5))
                .hasSize(4)
                .allSatisfy(status -> assertThat(status.now())
                        .isInstanceOfSatisfying(RowPosition.Quarantined.class, quarantined -> {
                            assertThat(quarantined.reason()).contains("of.some.other.kind");
                            assertThat(quarantined.at()).isEqualTo(NOW);
                        }));
    }

    @Test
    void quarantinedByARecordWithoutAVersionOnceThePartitionIsPastTheWrite() throws Exception {
        shelf.log().put(4, HEAT).garbage("1");
        shelf.deliver();
        facts.put(5, SILENT);
        assertThat(ofRow(5).isDecided()).isFalse();
        shelf.log().heartbeat(5);
        shelf.deliver();
        assertThat(kinds(5).get(0)).isEqualTo(Kind.QUARANTINED);
        assertThat(kinds(4).get(0)).isEqualTo(Kind.QUARANTINED);
    }

    @Test
    void waitsUntilItIsDecided() throws Exception {
        CompletableFuture<Receipt.OfRow> receipt = asked(5);
        assertThat(receipt).isNotDone();
        shelf.log().put(5, HEAT);
        shelf.deliver();

        assertThat(receipt.get(20, TimeUnit.SECONDS).isDecided()).isTrue();
    }

    @Test
    void whileItRestoresAChangeIsSeenThoughNoProgressIsTold() throws Exception {
        shelf.log().heartbeat(4);
        shelf.deliver();
        shelf.log().put(5, HEAT).put(6, HEAT.replace("\"id\":1", "\"id\":2"));
        shelf.restart();
        CompletableFuture<Receipt.OfRow> receipt = asked(5);
        shelf.deliver(1);

        assertVisible(receipt.get(10, TimeUnit.SECONDS));
        assertThat(shelf.shard().status().orElseThrow().restoring()).isTrue();
    }

    @Test
    void aShardThatComesLaterAndRestoresIsLookedAtToo() throws Exception {
        shelf.log().heartbeat(4);
        shelf.deliver();
        shelf.log().put(5, HEAT).put(6, HEAT.replace("\"id\":1", "\"id\":2"));
        shelf.leave();
        CompletableFuture<Receipt.OfRow> receipt = asked(5);
        Awaitility.await().until(() -> !waiting.await(() -> true, AT_ONCE));
        shelf.restart();
        shelf.deliver(1);

        assertVisible(receipt.get(10, TimeUnit.SECONDS));
    }

    @Test
    void aChangeIsPendingInAShardThatIsBuiltAgainUntilItsIndexesAnswer() throws Exception {
        shelf.log().put(5, HEAT).heartbeat(5).put(6, HEAT.replace("\"id\":1", "\"id\":2"));
        shelf.deliver();
        shelf.rebuild();
        shelf.deliver(1);

        assertThat(kinds(5)).hasSize(4).containsOnly(Kind.PENDING);
        shelf.deliver();
        assertVisible(ofRow(5));
    }

    @Test
    void turnsAwayWhoFindsNoPlaceToWait() throws Exception {
        CompletableFuture<Boolean> guest = OwnThread.supply(() -> {
            try {
                return waiting.await(() -> shelf.shard().isClosed(), LONG);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Awaitility.await().until(() -> !waiting.await(() -> true, AT_ONCE));

        assertThatThrownBy(() -> receipts.ask(token(5, false), LONG, bytes -> {}))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("too many");
        shelf.leave();
        assertThat(guest.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void refusesATokenOfAWriteThatWasNeverCommitted() {
        facts.put(4, HEAT);
        refused(token(5, false), "no write of version 0001000000000000005 was ever committed", false);
        shelf.log().put(4, HEAT).heartbeat(9);
        shelf.deliver();
        refused(token(5, false), "is complete up to version 0001000000000000009", false);
    }

    @Test
    void staysPendingWhereTheWriterCannotTellBetter() throws Exception {
        assertThat(ofRow(5).isDecided()).isFalse();
        facts.put(4, HEAT);
        facts.away(true);
        assertThat(ofRow(5).isDecided()).isFalse();
    }

    @Test
    void refusesATokenOfAnotherEpochUnlessTheRowStillHasItsVersion() throws Exception {
        shelf.log().put(5, HEAT).put(6, HEAT.replace("\"id\":1", "\"id\":2"));
        shelf.log().add(new Heartbeat(ChangeLog.at(50), new RowVersion(2, 1)));
        shelf.deliver();

        assertThat(ofRow(5).isDecided()).isTrue();
        refused(token(7, false), "the token is of epoch 1, and the fact table is in epoch 2 now", true);
        refused(new SessionToken("films", Map.of(0, ChangeLog.version(7))), "whether the write survived", true);
        facts.away(true);
        SessionToken later = SessionToken.of("films", 0, new RowVersion(3, 1), new WrittenRow(key(), false));
        assertThat(statuses((Receipt.OfRow) receipts.ask(later, AT_ONCE, bytes -> {})))
                .containsOnly(RowStatus.of(Kind.PENDING, new RowPosition.Unknown()));
    }

    @Test
    void refusesATokenThatDoesNotFitTheCatalog() {
        refused(SessionToken.of("songs", 0, ChangeLog.version(1)), "got one of table songs", false);
        for (SessionToken token : List.of(
                SessionToken.of("films", 1, ChangeLog.version(1)),
                SessionToken.of("films", -1, ChangeLog.version(1)),
                SessionToken.of("films", 0, ChangeLog.version(1), new WrittenRow(KeyBytes.EMPTY, false)))) {
            assertThatThrownBy(() -> receipts.ask(token, AT_ONCE, bytes -> {}))
                    .isInstanceOf(BadTokenException.class)
                    .hasMessageContaining("expected a token of table films");
        }
    }

    @Test
    void doesNotSpeakForPartitionsThatMayBeSomebodyElsesByNow() throws Exception {
        shelf.log().put(5, HEAT);
        shelf.deliver();
        refusal = Optional.of("the lease ran out");
        for (SessionToken token : List.of(token(5, false), SessionToken.of("films", 0, ChangeLog.version(5)))) {
            assertThatThrownBy(() -> receipts.ask(token, AT_ONCE, bytes -> {}))
                    .isInstanceOf(NotAnswerableException.class)
                    .hasMessage("the lease ran out");
        }
    }

    @Test
    void ofManyRowsAnswersByPartition() throws Exception {
        SessionToken token = new SessionToken("films", Map.of(0, ChangeLog.version(9)));
        shelf.log().put(5, HEAT).garbage("2");
        shelf.deliver();
        assertThat(shares(token))
                .containsExactly(new Receipt.Share(
                        0,
                        ChangeLog.version(9),
                        false,
                        new PendingEstimate(OptionalLong.of(3), Optional.empty()),
                        1,
                        Optional.empty()));
        shelf.log().heartbeat(9);
        shelf.deliver();
        assertThat(shares(token)).extracting(Receipt.Share::visible).containsExactly(true);
        assertThat(receipts.ask(new SessionToken("films", Map.of()), AT_ONCE, bytes -> {})
                        .isDecided())
                .isTrue();
    }

    @Test
    void ofManyRowsIsPendingInAPartitionThatHasFailed() throws Exception {
        SessionToken token = new SessionToken("films", Map.of(0, ChangeLog.version(5)));
        shelf.log().put(5, HEAT).heartbeat(5);
        shelf.deliver();
        assertThat(shares(token)).extracting(Receipt.Share::visible).containsExactly(true);
        shelf.bench().stores().opened(shelf.shard().id()).failNextCommit(new IllegalStateException("the disk is full"));
        shelf.log().put(6, SILENT);
        shelf.deliver();

        assertThat(shares(token)).extracting(Receipt.Share::visible).containsExactly(false);
        assertThat(receipts.ask(token, AT_ONCE, bytes -> {}).isDecided()).isFalse();
    }

    @Test
    void cannotTellOfAPartitionThatIsElsewhere() throws Exception {
        SessionToken many = new SessionToken("plays", Map.of(1, ChangeLog.version(1), 2, ChangeLog.version(2)));
        assertThatThrownBy(() -> receipts.ask(many, AT_ONCE, bytes -> {}))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partition 1 of table plays is not assigned to this worker");
        shelf.bench().open(new ShardId("plays", 2));
        assertThat(shares(many))
                .extracting(share -> share.lacking().isPresent())
                .containsExactly(true, false);
        assertThat(receipts.ask(many, AT_ONCE, bytes -> {}).isDecided()).isFalse();
        shelf.leave();
        assertThatThrownBy(() -> receipts.ask(token(5, false), Duration.ofMillis(5), bytes -> {}))
                .isInstanceOf(NotAnswerableException.class);
    }

    private CompletableFuture<Receipt.OfRow> asked(long number) {
        return OwnThread.supply(() -> {
            try {
                return (Receipt.OfRow) receipts.ask(token(number, false), LONG, bytes -> {});
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private Optional<Duration> eta(long number) throws Exception {
        RowStatus status = statuses(number).get(0);
        assertThat(status.kind()).isEqualTo(Kind.PENDING);
        Optional<Duration> ofRow = status.ahead().eta();
        SessionToken many = SessionToken.of("films", 0, ChangeLog.version(number));
        assertThat(shares(many).get(0).ahead().eta()).isEqualTo(ofRow);
        return ofRow;
    }

    private List<Receipt.Share> shares(SessionToken token) throws Exception {
        return ((Receipt.OfMany) receipts.ask(token, AT_ONCE, bytes -> {})).shares();
    }

    private void refused(SessionToken token, String reason, boolean gone) {
        assertThatThrownBy(() -> receipts.ask(token, AT_ONCE, bytes -> {}))
                .isInstanceOfSatisfying(
                        NoReceiptException.class, e -> assertThat(e.isGone()).isEqualTo(gone))
                .hasMessageContaining(reason);
    }

    private RowSnapshot look() throws Exception {
        return rows.look(FilmShard.films(), key());
    }

    private Receipt.OfRow ofRow(long number) throws Exception {
        return ofRow(number, false);
    }

    private Receipt.OfRow ofRow(long number, boolean deleted) throws Exception {
        return (Receipt.OfRow) receipts.ask(token(number, deleted), AT_ONCE, bytes -> {});
    }

    private SessionToken token(long number, boolean deleted) {
        return SessionToken.of("films", 0, ChangeLog.version(number), new WrittenRow(key(), deleted));
    }

    private KeyBytes key() {
        return shelf.log().key("1");
    }

    private List<RowStatus> statuses(long number) throws Exception {
        return statuses(ofRow(number));
    }

    private List<RowStatus> deleted(long number) throws Exception {
        return statuses(ofRow(number, true));
    }

    private List<Kind> kinds(long number) throws Exception {
        return statuses(number).stream().map(RowStatus::kind).toList();
    }

    private static List<RowStatus> statuses(Receipt.OfRow receipt) {
        return receipt.indexes().stream().map(Receipt.OfIndex::status).toList();
    }

    private static void assertVisible(Receipt.OfRow receipt) {
        RowStatus status = statuses(receipt).get(0);
        assertThat(status.kind()).isEqualTo(Kind.VISIBLE);
        assertThat(status.since()).isEqualTo(NOW);
    }

    private static RowStatus notApplicable(Absence absence) {
        return RowStatus.of(Kind.NOT_APPLICABLE, new RowPosition.LeftOut(Optional.of(absence)))
                .since(NOW);
    }

    private static RowStatus superseded(long by, RowPosition now) {
        return RowStatus.of(Kind.SUPERSEDED, now)
                .versions(Optional.empty(), Optional.of(ChangeLog.version(by)))
                .since(NOW);
    }
}
