package dev.tidemark.worker.receipt;

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
import dev.tidemark.progress.SessionToken;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.PendingEstimate;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.explain.RowPosition;
import dev.tidemark.worker.explain.RowSnapshot;
import dev.tidemark.worker.lag.EndOffsets;
import dev.tidemark.worker.lag.LagAgent;
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
    private final ReceiptService receipts = new ReceiptService(
            Tables.inForce(FilmShard.catalog()), new RowLookup(shelf.bench().lag(), () -> refusal), waiting, facts);

    @Test
    void visibleSinceItWasAppliedOrNotApplicableForAReason() throws Exception {
        shelf.log().put(5, HEAT);
        shelf.deliver();

        Receipt.OfRow receipt = ofRow(5);
        assertThat(receipt.verdicts())
                .containsExactly(
                        new IndexStatus.Visible(NOW),
                        new IndexStatus.Visible(NOW),
                        new IndexStatus.NotApplicable(Optional.of(new Absence.Filtered(1)), NOW),
                        new IndexStatus.Visible(NOW));
        assertThat(receipt.isDecided()).isTrue();
        assertThat(receipt.times())
                .hasValueSatisfying(times -> assertThat(times.committedAt()).isEqualTo(ChangeLog.at(5)));
        shelf.log().put(6, SILENT);
        shelf.deliver();
        assertThat(ofRow(6).verdicts().get(0))
                .isEqualTo(new IndexStatus.NotApplicable(Optional.of(new Absence.NoValue(0)), NOW));
    }

    @Test
    void pendingBehindAtMostSoManyChanges() throws Exception {
        shelf.log().heartbeat(3);
        shelf.deliver();
        facts.put(9, HEAT);

        Receipt.OfRow receipt = ofRow(9);
        assertThat(receipt.verdicts())
                .hasSize(4)
                .containsOnly(new IndexStatus.Pending(new PendingEstimate(OptionalLong.of(5), Optional.empty())));
        assertThat(receipt.isDecided()).isFalse();
        assertThat(receipt.times()).isEmpty();
    }

    @Test
    void pendingForAtMostWhatThePartitionTakesForAllThatWaits() throws Exception {
        LagAgent sampler = new LagAgent(
                shelf.bench().lag(),
                shards -> EndOffsets.Ends.of(Map.of(shelf.shard().id(), 40L)),
                Duration.ofSeconds(1),
                shelf.bench().clock());
        for (int second = 1; second <= 2; second++) {
            sampler.doWork();
            assertThat(eta(61)).as("before the rate is known").isEmpty();
            shelf.log().heartbeat(10 + 2 * second).heartbeat(11 + 2 * second);
            shelf.deliver();
            shelf.bench().clock().advance(Duration.ofSeconds(1));
        }
        sampler.doWork();
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

        assertThat(ofRow(5).verdicts())
                .hasSize(4)
                .containsOnly(new IndexStatus.Inconsistent(ChangeLog.version(99_999), ChangeLog.version(5)));
        facts.away(true);
        assertThat(ofRow(5).verdicts().get(1)).isInstanceOf(IndexStatus.Superseded.class);
    }

    @Test
    void supersededByANewerVersionWhateverBecameOfThat() throws Exception {
        shelf.log().put(5, HEAT).put(6, SILENT);
        shelf.deliver();
        assertThat(ofRow(5).verdicts().subList(0, 2))
                .containsExactly(
                        superseded(6, new RowPosition.LeftOut(Optional.of(new Absence.NoValue(0)))),
                        superseded(6, RowPosition.of(look(), 2)));
        assertThat(RowPosition.of(look(), 2)).isInstanceOf(RowPosition.Held.class);
        shelf.log().delete(7, "1");
        shelf.deliver();
        assertThat(ofRow(5).verdicts()).containsOnly(superseded(7, new RowPosition.Deleted()));
        shelf.log().forget(7, "1");
        shelf.deliver();
        assertThat(ofRow(5).verdicts())
                .containsOnly(
                        new IndexStatus.Superseded(Optional.empty(), new RowPosition.Deleted(), Optional.empty()));
    }

    @Test
    void aDeleteIsVisibleWhenTheEntriesAreGoneAndStaysSo() throws Exception {
        shelf.log().put(5, HEAT).delete(6, "1");
        shelf.deliver();
        assertThat(ofRow(6, true).verdicts()).containsOnly(new IndexStatus.Visible(NOW));
        shelf.log().forget(6, "1");
        shelf.deliver();
        assertThat(ofRow(6, true).verdicts()).containsOnly(new IndexStatus.Visible(Optional.empty()));
    }

    @Test
    void quarantinedWithTheReason() throws Exception {
        shelf.log().garbage(5, "1").heartbeat(5);
        shelf.deliver();

        assertThat(ofRow(5).verdicts())
                .hasSize(4)
                .allSatisfy(verdict -> assertThat(verdict)
                        .isInstanceOfSatisfying(IndexStatus.Quarantined.class, quarantined -> {
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
        assertThat(ofRow(5).verdicts().get(0)).isInstanceOf(IndexStatus.Quarantined.class);
        assertThat(ofRow(4).verdicts().get(0)).isInstanceOf(IndexStatus.Quarantined.class);
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

        assertThat(receipt.get(10, TimeUnit.SECONDS).verdicts().get(0)).isEqualTo(new IndexStatus.Visible(NOW));
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

        assertThat(receipt.get(10, TimeUnit.SECONDS).verdicts().get(0)).isEqualTo(new IndexStatus.Visible(NOW));
    }

    @Test
    void aChangeIsPendingInAShardThatIsBuiltAgainUntilItsIndexesAnswer() throws Exception {
        shelf.log().put(5, HEAT).heartbeat(5).put(6, HEAT.replace("\"id\":1", "\"id\":2"));
        shelf.deliver();
        shelf.rebuild();
        shelf.deliver(1);

        assertThat(ofRow(5).verdicts()).hasSize(4).allMatch(verdict -> verdict instanceof IndexStatus.Pending);
        shelf.deliver();
        assertThat(ofRow(5).verdicts().get(0)).isEqualTo(new IndexStatus.Visible(NOW));
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

        assertThatThrownBy(() -> receipts.ask(token(5, false), LONG))
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
        assertThat(((Receipt.OfRow) receipts.ask(later, AT_ONCE)).verdicts())
                .containsOnly(new IndexStatus.Pending(PendingEstimate.UNKNOWN));
    }

    @Test
    void refusesATokenThatDoesNotFitTheCatalog() {
        refused(SessionToken.of("songs", 0, ChangeLog.version(1)), "no table of that name", false);
        for (SessionToken token : List.of(
                SessionToken.of("films", 1, ChangeLog.version(1)),
                SessionToken.of("films", -1, ChangeLog.version(1)),
                SessionToken.of("films", 0, ChangeLog.version(1), new WrittenRow(KeyBytes.EMPTY, false)))) {
            assertThatThrownBy(() -> receipts.ask(token, AT_ONCE))
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
            assertThatThrownBy(() -> receipts.ask(token, AT_ONCE))
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
        assertThat(receipts.ask(new SessionToken("films", Map.of()), AT_ONCE).isDecided())
                .isTrue();
    }

    @Test
    void cannotTellOfAPartitionThatIsElsewhere() throws Exception {
        SessionToken many = new SessionToken("plays", Map.of(1, ChangeLog.version(1), 2, ChangeLog.version(2)));
        assertThatThrownBy(() -> receipts.ask(many, AT_ONCE))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partition 1 of table plays is not assigned to this worker");
        shelf.bench().open(new ShardId("plays", 2));
        assertThat(shares(many))
                .extracting(share -> share.lacking().isPresent())
                .containsExactly(true, false);
        assertThat(receipts.ask(many, AT_ONCE).isDecided()).isFalse();
        shelf.leave();
        assertThatThrownBy(() -> receipts.ask(token(5, false), Duration.ofMillis(5)))
                .isInstanceOf(NotAnswerableException.class);
    }

    private CompletableFuture<Receipt.OfRow> asked(long number) {
        return OwnThread.supply(() -> {
            try {
                return (Receipt.OfRow) receipts.ask(token(number, false), LONG);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private Optional<Duration> eta(long number) throws Exception {
        IndexStatus verdict = ofRow(number).verdicts().get(0);
        assertThat(verdict).isInstanceOf(IndexStatus.Pending.class);
        Optional<Duration> ofRow = ((IndexStatus.Pending) verdict).ahead().eta();
        SessionToken many = SessionToken.of("films", 0, ChangeLog.version(number));
        assertThat(shares(many).get(0).ahead().eta()).isEqualTo(ofRow);
        return ofRow;
    }

    private List<Receipt.Share> shares(SessionToken token) throws Exception {
        return ((Receipt.OfMany) receipts.ask(token, AT_ONCE)).shares();
    }

    private void refused(SessionToken token, String reason, boolean gone) {
        assertThatThrownBy(() -> receipts.ask(token, AT_ONCE))
                .isInstanceOfSatisfying(
                        NoReceiptException.class, e -> assertThat(e.isGone()).isEqualTo(gone))
                .hasMessageContaining(reason);
    }

    private RowSnapshot look() throws Exception {
        return new RowLookup(shelf.bench().lag(), () -> refusal).look(FilmShard.films(), key());
    }

    private Receipt.OfRow ofRow(long number) throws Exception {
        return ofRow(number, false);
    }

    private Receipt.OfRow ofRow(long number, boolean deleted) throws Exception {
        return (Receipt.OfRow) receipts.ask(token(number, deleted), AT_ONCE);
    }

    private SessionToken token(long number, boolean deleted) {
        return SessionToken.of("films", 0, ChangeLog.version(number), new WrittenRow(key(), deleted));
    }

    private KeyBytes key() {
        return shelf.log().key("1");
    }

    private static IndexStatus superseded(long by, RowPosition now) {
        return new IndexStatus.Superseded(Optional.of(ChangeLog.version(by)), now, NOW);
    }
}
