package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.WireRecord;
import dev.tidemark.digest.Digest;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class DecodedBatchTest {
    private static final ChangeCodec CODEC = new ChangeCodec("films");
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\"]}";

    private static final Heartbeat MARK =
            new Heartbeat(ChangeLog.at(2), ChangeLog.version(2), new TreeMap<>(Map.of(1L, new Digest(1, 2))));

    private final RowPlanner planner = new RowPlanner(Tables.films(), 0, Tables.generations(Tables.films()));
    private final ChangeLog log = new ChangeLog(Tables.films());

    @Test
    void changesThatAreAlikeAndSideBySideAreTimedTogether() {
        committed(1, 90, "1,2");
        committed(2, 90, "1,2");
        committed(3, 90, "1,3");
        committed(4, 91, "1,3");
        committed(5, 91, null);
        committed(6, 91, null);
        committed(7, 91, "1,3");

        assertThat(following(Progress.UNKNOWN).firstSeen())
                .containsExactly(
                        new ChangeTiming(ChangeLog.at(90), "1,2", 2),
                        new ChangeTiming(ChangeLog.at(90), "1,3", 1),
                        new ChangeTiming(ChangeLog.at(91), "1,3", 1),
                        new ChangeTiming(ChangeLog.at(91), null, 2),
                        new ChangeTiming(ChangeLog.at(91), "1,3", 1));
    }

    @Test
    void whatWasHeardBeforeIsNotTimed() {
        committed(5, 90, null);
        committed(6, 91, null);

        assertThat(following(new Progress(ChangeLog.at(89), ChangeLog.version(5)))
                        .firstSeen())
                .containsExactly(new ChangeTiming(ChangeLog.at(91), null, 1));
    }

    @Test
    void knowsTheHighestVersionThatWasBelieved() {
        log.put(7, ALIEN).garbage(9, "2").heartbeat(8).garbage("3");

        DecodedBatch decoded = following(Progress.UNKNOWN);

        assertThat(decoded.highest()).isEqualTo(ChangeLog.version(9));
        assertThat(decoded.frontiers()).containsExactly(ChangeLog.version(8));
    }

    @Test
    void aShardThatRestoresBeginsAgainWhereTheRelayDid() {
        Progress stored = new Progress(ChangeLog.at(10), ChangeLog.version(10));
        log.put(20, ALIEN).put(15, ALIEN.replace("\"id\":1", "\"id\":2"));
        Progress again = new Progress(ChangeLog.at(15).minusNanos(1), ChangeLog.version(15));

        assertThat(restoring(stored).heard()).isEqualTo(again);
        assertThat(following(stored).heard().through()).isEqualTo(ChangeLog.version(20));
        log.put(20, ALIEN);
        assertThat(restoring(stored).heard().through()).isEqualTo(ChangeLog.version(20));
    }

    @Test
    void theTimeOfAHeartbeatMayBeTheLatestThatCanBe() {
        log.heartbeat(100).heartbeat(101);

        DecodedBatch decoded = read(PublishedProgress.opened(Progress.UNKNOWN, 0, 0));

        assertThat(decoded.heard().completeUpTo()).isEqualTo(ChangeLog.at(100));
        assertThat(decoded.heartbeatsRefused()).isEqualTo(1);
        assertThat(decoded.isAhead()).isTrue();
        assertThat(decoded.refusals().last())
                .hasValueSatisfying(
                        why -> assertThat(why).contains("offset 1", "has not come further than " + ChangeLog.at(100)));
    }

    @Test
    void aHeartbeatOfANewerWriterMovesNothingAndIsNamed() {
        log.heartbeat(8);
        WireRecord known = CODEC.encode(new Heartbeat(ChangeLog.at(9), ChangeLog.version(9)));
        Map<String, String> headers = new HashMap<>(known.headers());
        headers.put(ChangeCodec.TYPE, "dev.tidemark.heartbeat.v2");
        log.add(new WireRecord(known.key(), known.value(), headers));

        DecodedBatch decoded = following(Progress.UNKNOWN);

        assertThat(decoded.heard().through()).isEqualTo(ChangeLog.version(8));
        assertThat(decoded.heartbeatsRefused()).isEqualTo(1);
        assertThat(decoded.refusals().last())
                .hasValueSatisfying(
                        why -> assertThat(why).contains("dev.tidemark.heartbeat.v2, which a newer version"));
    }

    @Test
    void endsWithEachHeartbeatThatHasDigests() {
        log.heartbeat(1).add(MARK).add(MARK).heartbeat(2).heartbeat(2);

        assertThat(following(Progress.UNKNOWN).size()).isEqualTo(2);
        assertThat(following(Progress.UNKNOWN).mark()).contains(MARK);
    }

    @Test
    void aShardThatRestoresHasNoMark() {
        log.heartbeat(1).add(MARK).heartbeat(2);

        assertThat(restoring(Progress.UNKNOWN).size()).isEqualTo(3);
        assertThat(restoring(Progress.UNKNOWN).mark()).isEmpty();
    }

    @Test
    void aMarkThatIsNotWhereItsWriterExpectedItIsNone() {
        log.expectedAt(7, MARK);

        assertThat(following(Progress.UNKNOWN).mark()).isEmpty();
    }

    @Test
    void aMarkBehindAHeartbeatThatIsRefusedIsNone() {
        log.heartbeat(101).add(MARK);

        assertThat(following(Progress.UNKNOWN).mark()).isEmpty();
    }

    /** A change with a header of the relay. */
    private void committed(long number, long second, @Nullable String handover) {
        WireRecord plain =
                CODEC.encode(new ChangeEvent.Deleted(log.key("1"), ChangeLog.version(number), ChangeLog.at(second)));
        Map<String, String> headers = new HashMap<>(plain.headers());
        if (handover != null) {
            headers.put(PublishTimings.HEADER, handover);
        }
        log.add(new WireRecord(plain.key(), plain.value(), headers));
    }

    private DecodedBatch following(Progress before) {
        return read(PublishedProgress.opened(before, 0, 0));
    }

    private DecodedBatch restoring(Progress before) {
        return read(PublishedProgress.opened(before, 0, log.end()));
    }

    /** All of the log, when the clock of the writer had come to second 100. */
    private DecodedBatch read(PublishedProgress gate) {
        List<LogRecord> records = log.from(0).records();
        Instant latest = ChangeLog.at(100);
        return DecodedBatch.read(
                CODEC,
                planner,
                new ChangeBatch(records, records.size(), OptionalInt.empty()),
                gate,
                latest,
                VersionCeilings.NONE,
                new Continuity(0));
    }
}
