package dev.tidemark.progress;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.SourceMark;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

class ProgressTest {
    private static final Instant T1 = Instant.parse("2024-01-01T00:00:01Z");
    private static final Instant T2 = Instant.parse("2024-01-01T00:00:02Z");
    private static final RowDocument ROW = RowDocument.stored("{}".getBytes(StandardCharsets.UTF_8));

    @Test
    void knowsNothingAtFirst() {
        assertThat(Progress.UNKNOWN.watermark()).isEmpty();
        assertThat(Progress.UNKNOWN.covers(new RowVersion(1, 1))).isFalse();
        assertThat(Progress.UNKNOWN.covers(RowVersion.NONE)).isTrue();
    }

    @Test
    void takesAHeartbeatAtItsWord() {
        Progress progress = Progress.UNKNOWN.after(new Heartbeat(T1, version(5)));

        assertThat(progress.watermark()).contains(T1);
        assertThat(progress.covers(version(5))).isTrue();
        assertThat(progress.covers(version(6))).isFalse();
    }

    @Test
    void isThatOfTheSourceWhereTheRowsComeFromOne() {
        Progress before = new Progress(T2, version(9));
        Heartbeat heartbeat = new Heartbeat(T2, version(5));

        assertThat(before.after(heartbeat.with(new SourceMark(Optional.of(T1)))))
                .isEqualTo(new Progress(T1, version(9)));
        assertThat(before.after(heartbeat.with(new SourceMark(Optional.empty())))
                        .watermark())
                .isEmpty();
        assertThat(before.after(heartbeat.with(new SourceMark(Optional.of(Instant.MIN))))
                        .isWhole())
                .isTrue();
    }

    @Test
    void withoutItsSourceItIsWholeStillButHasNoWatermark() {
        Progress before = new Progress(T1, version(5));

        assertThat(before.withoutSource().watermark()).isEmpty();
        assertThat(before.withoutSource().isWhole()).isTrue();
        assertThat(before.withoutSource().through()).isEqualTo(version(5));
        assertThat(Progress.UNKNOWN.withoutSource()).isEqualTo(Progress.UNKNOWN);
    }

    @Test
    void aLateHeartbeatOfAnEarlierEpochSaysNothingOfTheSource() {
        RowVersion next = new RowVersion(version(5).epoch() + 1, 3);
        Progress back = new Progress(T1, next).withoutSource();
        Heartbeat late = new Heartbeat(T2, version(5)).with(new SourceMark(Optional.of(T2)));

        assertThat(back.after(late)).isEqualTo(back);
        assertThat(back.after(new Heartbeat(T2, next).with(new SourceMark(Optional.of(T1)))))
                .isEqualTo(new Progress(T1, next));
    }

    @Test
    void staysJustBelowTheTimeOfAnEventBecauseAnotherOfThatMomentMayFollow() {
        for (ChangeEvent event : List.of(
                new ChangeEvent.Upserted(KeyBytes.EMPTY, version(5), T1, UpsertKind.CREATE, ROW),
                new ChangeEvent.Upserted(KeyBytes.EMPTY, version(5), T1, UpsertKind.UPDATE, ROW),
                new ChangeEvent.Deleted(KeyBytes.EMPTY, version(5), T1))) {
            assertThat(Progress.UNKNOWN.after(event)).isEqualTo(new Progress(T1.minusNanos(1), version(5)));
        }
    }

    @Test
    void learnsNothingFromWhatIsOutOfCommitOrder() {
        Progress progress = new Progress(T1, version(1));

        assertThat(progress.after(new ChangeEvent.Upserted(KeyBytes.EMPTY, version(9), T2, UpsertKind.READ, ROW)))
                .isEqualTo(progress);
        assertThat(progress.after(new ChangeEvent.Forgotten(KeyBytes.EMPTY, version(9), T2)))
                .isEqualTo(progress);
    }

    @Test
    void doesNotGoBackForWhatIsToldAgain() {
        Progress progress = new Progress(T2, version(9));

        assertThat(progress.after(new Heartbeat(T1, version(3)))).isEqualTo(progress);
        assertThat(progress.after(new ChangeEvent.Deleted(KeyBytes.EMPTY, version(3), T1)))
                .isEqualTo(progress);
        assertThat(progress.after(new Heartbeat(T2, version(10)))).isEqualTo(new Progress(T2, version(10)));
    }

    @Test
    void goesBackToTheNewestRecordWhereOneOfTwoMustBeForged() {
        Progress afterAForgedVersion = new Progress(T1, version(1)).after(deleted(99_999, T1.plusMillis(5)));
        assertThat(afterAForgedVersion.covers(version(99_999))).isTrue();

        assertThat(afterAForgedVersion.after(new Heartbeat(T2, version(9)))).isEqualTo(new Progress(T2, version(9)));
        assertThat(afterAForgedVersion.after(deleted(9, T2))).isEqualTo(new Progress(T2.minusNanos(1), version(9)));

        Progress afterAForgedTime = new Progress(T1, version(1)).after(new Heartbeat(T2.plusSeconds(9), version(1)));
        assertThat(afterAForgedTime.after(new Heartbeat(T2, version(9)))).isEqualTo(new Progress(T2, version(9)));
    }

    @Test
    void believesTheVersionOfAChangeAndNotItsTime() {
        assertThat(new Progress(T1, version(1)).after(version(5))).isEqualTo(new Progress(T1, version(5)));
        assertThat(new Progress(T1, version(9)).after(version(5))).isEqualTo(new Progress(T1, version(9)));
    }

    @Test
    void takesTheLaterOfTwoTimesAndOfTwoVersions() {
        Progress earlierButHigher = new Progress(T1, version(9));

        assertThat(earlierButHigher.orLater(new Progress(T2, version(5)))).isEqualTo(new Progress(T2, version(9)));
    }

    @Test
    void ofTwoEpochsOnlyTheLaterOneCounts() {
        Progress before = new Progress(T2, version(9));
        Progress after = new Progress(T1, new RowVersion(2, 5));

        assertThat(before.orLater(after)).isEqualTo(after);
        assertThat(after.orLater(before)).isEqualTo(after);
    }

    @Test
    void namesStatesInLowerCase() {
        assertThat(IndexHealth.CATCHING_UP.label()).isEqualTo("catching_up");
    }

    private static ChangeEvent deleted(long sequence, Instant time) {
        return new ChangeEvent.Deleted(KeyBytes.EMPTY, version(sequence), time);
    }

    private static RowVersion version(long sequence) {
        return new RowVersion(1, sequence);
    }
}
