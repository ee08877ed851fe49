package dev.tidemark.worker.apply;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.clocks.CommitBound;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class UnconfirmedVersionsTest {
    private final UnconfirmedVersions read = new UnconfirmedVersions(at(0));

    @Test
    void nothingIsReadAgainWhereTheWriterBearsOutEverything() {
        heartbeat(10, 1, 5);
        heartbeat(20, 2, 6);

        assertThat(answered(2, 6)).isEmpty();
        assertThat(answered(3, 6)).isEmpty();
    }

    @Test
    void readsAgainFromTheLastPlaceThatWasBorneOut() {
        heartbeat(10, 0, 5);
        answered(1, 5);
        rows(11, 2, 99);
        heartbeat(20, 3, 6);

        assertThat(answered(4, 7)).hasValueSatisfying(back -> {
            assertThat(back.to().nextOffset()).isEqualTo(10);
            assertThat(back.ceiling()).isEqualTo(new VersionCeiling(20, version(7)));
            assertThat(back.highest()).isEqualTo(version(99));
        });
        assertThat(answered(5, 7)).isEmpty();
    }

    @Test
    void whatWasReadAfterTheQuestionIsLeftToTheNextAnswer() {
        heartbeat(10, 1, 5);
        rows(11, 3, 99);
        heartbeat(20, 4, 6);

        assertThat(answered(2, 5)).isEmpty();
        assertThat(answered(5, 7))
                .hasValueSatisfying(back -> assertThat(back.to().nextOffset()).isEqualTo(10));
    }

    @Test
    void whatWasReadInTheMomentOfTheQuestionIsLeftToTheNextAnswer() {
        heartbeat(10, 1, 5);
        answered(2, 5);
        rows(11, 3, 8);

        assertThat(answered(3, 7)).isEmpty();
        assertThat(answered(4, 8)).isEmpty();
    }

    @Test
    void knowsTheNewestThatWasReadUntilItGoesBack() {
        assertThat(read.isBeyond(version(0))).isFalse();
        rows(11, 2, 9);
        heartbeat(20, 3, 6);
        assertThat(read.isBeyond(version(8))).isTrue();
        assertThat(read.isBeyond(version(9))).isFalse();

        assertThat(answered(4, 7)).isPresent();

        assertThat(read.isBeyond(version(8))).isFalse();
    }

    @Test
    void theSameAnswerSaysNothingTwice() {
        CommitBound bound = new CommitBound(ChangeLog.at(5), version(7));
        assertThat(read.check(bound)).isEmpty();
        rows(11, 3, 99);
        heartbeat(20, 4, 6);

        assertThat(read.check(bound)).isEmpty();
    }

    @Test
    void nothingIsReadAgainForAWriterThatTheHeartbeatsDoNotAgreeWith() {
        heartbeat(10, 1, 50);

        assertThat(answered(2, 7)).isEmpty();

        rows(11, 3, 99);
        heartbeat(20, 4, 6);
        assertThat(answered(5, 7))
                .hasValueSatisfying(back -> assertThat(back.to().nextOffset()).isZero());
    }

    @Test
    void aHeartbeatThatLiesIsFoundOutByThoseAroundIt() {
        heartbeat(10, 0, 5);
        answered(1, 5);
        RowVersion forged = version(99);
        read.add(at(20), ChangeLog.at(2), forged, List.of(forged, version(6), forged));
        heartbeat(21, 3, 99);

        assertThat(answered(4, 7))
                .hasValueSatisfying(back -> assertThat(back.to().nextOffset()).isEqualTo(10));
    }

    @Test
    void heartbeatsThatOnlyGoOnLeaveItOpenWhoIsRight() {
        heartbeat(10, 1, 5);
        heartbeat(20, 2, 50);
        heartbeat(30, 3, 51);

        assertThat(answered(4, 7)).isEmpty();
    }

    @Test
    void whatHeartbeatsSaidBeforeTheLastPlaceProvesNothing() {
        heartbeat(10, 1, 6);
        heartbeat(20, 2, 5);
        answered(3, 6);
        heartbeat(30, 4, 50);

        assertThat(answered(5, 7)).isEmpty();
    }

    @Test
    void manyPiecesAreRememberedTogether() {
        heartbeat(1, 1, 1);
        rows(2, 2, 99);
        for (int second = 3; second < 500; second++) {
            heartbeat(second, second, 1);
        }

        assertThat(answered(600, 7)).hasValueSatisfying(back -> {
            assertThat(back.to().nextOffset()).isZero();
            assertThat(back.highest()).isEqualTo(version(99));
        });
    }

    @Test
    void sixtyFourPiecesAreRememberedOneByOne() {
        for (int second = 1; second <= 63; second++) {
            heartbeat(10L * second, second, 1);
        }
        rows(640, 64, 99);

        assertThat(answered(2, 7)).as("the first alone is borne out").isEmpty();
        assertThat(answered(65, 7))
                .hasValueSatisfying(back -> assertThat(back.to().nextOffset()).isEqualTo(10));
    }

    @Test
    void whatOneAnswerLeavesOpenTheNextMayRefute() {
        heartbeat(10, 1, 50);
        assertThat(answered(2, 7)).isEmpty();
        heartbeat(20, 4, 6);

        assertThat(answered(5, 7)).hasValueSatisfying(back -> {
            assertThat(back.to().nextOffset()).isZero();
            assertThat(back.highest()).isEqualTo(version(50));
        });
    }

    @Test
    void theLowestOfTheHeartbeatsThatWentBackContradictsTheOthers() {
        RowVersion forged = version(99);

        read.add(at(10), ChangeLog.at(1), forged, List.of(forged, version(8), version(6), forged));
        assertThat(answered(2, 7)).isPresent();
        read.add(at(20), ChangeLog.at(3), forged, List.of(forged, version(6), version(8), forged));
        assertThat(answered(4, 7)).isPresent();
        read.add(at(30), ChangeLog.at(5), forged, List.of(forged, version(7), forged));
        assertThat(answered(6, 7)).as("the very version that was given").isPresent();
    }

    @Test
    void whatHeartbeatsSaidBeforeItWentBackProvesNothing() {
        RowVersion forged = version(99);
        read.add(at(10), ChangeLog.at(1), forged, List.of(forged, version(6), forged));
        assertThat(answered(2, 7)).isPresent();

        heartbeat(20, 3, 50);

        assertThat(answered(4, 7)).isEmpty();
    }

    @Test
    void whatWasReadBeforeItWentBackIsNotBorneOutLater() {
        heartbeat(10, 0, 5);
        answered(1, 5);
        rows(20, 2, 99);
        heartbeat(30, 5, 6);
        assertThat(answered(4, 7))
                .hasValueSatisfying(back -> assertThat(back.to().nextOffset()).isEqualTo(10));

        assertThat(answered(6, 7)).isEmpty();
        rows(20, 7, 99);

        assertThat(answered(8, 7))
                .hasValueSatisfying(back -> assertThat(back.to().nextOffset()).isEqualTo(10));
    }

    @Test
    void saysWhyItGoesBack() {
        rows(10, 1, 99);

        assertThat(answered(2, 7))
                .hasValueSatisfying(back -> assertThat(back.toString())
                        .contains(version(99).toString(), version(7).toString(), "from offset 0"));
    }

    private void heartbeat(long offset, long second, long frontier) {
        read.add(at(offset), ChangeLog.at(second), version(frontier), List.of(version(frontier)));
    }

    private void rows(long offset, long second, long highest) {
        read.add(at(offset), ChangeLog.at(second), version(highest), List.of());
    }

    private Optional<UnconfirmedVersions.Return> answered(long second, long given) {
        return read.check(new CommitBound(ChangeLog.at(second), version(given)));
    }

    private static RowVersion version(long number) {
        return ChangeLog.version(number);
    }

    private static ShardCheckpoint at(long offset) {
        ShardCheckpoint empty = ShardCheckpoint.EMPTY;
        return new ShardCheckpoint(
                offset,
                empty.leaderEpoch(),
                Progress.UNKNOWN,
                empty.lastCaughtUp(),
                empty.generations(),
                empty.liveRows(),
                empty.quarantined());
    }
}
