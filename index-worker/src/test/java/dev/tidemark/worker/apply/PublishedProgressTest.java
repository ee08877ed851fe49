package dev.tidemark.worker.apply;

import org.junit.jupiter.api.Test;

import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class PublishedProgressTest {
    private static final Progress EARLY = new Progress(ChangeLog.at(1), ChangeLog.version(1));
    private static final Progress LATE = new Progress(ChangeLog.at(9), ChangeLog.version(9));

    @Test
    void tellsWhatWasStoredUntilTheFirstEndIsPassed() {
        PublishedProgress gate = PublishedProgress.opened(EARLY, 10, 20);
        PublishedProgress midway = gate.moved(LATE, 19, false);
        assertThat(midway.published()).isEqualTo(EARLY);
        assertThat(midway.restoring()).isTrue();
        PublishedProgress through = midway.moved(LATE, 20, false);
        assertThat(through.published()).isEqualTo(LATE);
        assertThat(through.restoring()).isFalse();
    }

    @Test
    void isOpenAtOnceWhenThereIsNothingToCatchUp() {
        PublishedProgress gate = PublishedProgress.opened(EARLY, 20, 20);
        assertThat(gate.restoring()).isFalse();
        assertThat(gate.moved(LATE, 21, false).published()).isEqualTo(LATE);
    }

    @Test
    void hasWhatWasStoredOnceTheFirstEndIsPassed() {
        PublishedProgress through = PublishedProgress.opened(LATE, 10, 20).moved(EARLY, 20, false);

        assertThat(through.published()).isEqualTo(LATE);
        assertThat(through.heard()).isEqualTo(LATE);
    }

    @Test
    void hasWhatWasHeardOfALaterEpochOnceTheFirstEndIsPassed() {
        Progress later = new Progress(ChangeLog.at(5), new RowVersion(2, 9));
        PublishedProgress through = PublishedProgress.opened(LATE, 10, 20).moved(later, 20, false);

        assertThat(through.published()).isEqualTo(later);
        assertThat(through.heard()).isEqualTo(later);
    }

    @Test
    void goesBackWithWhatIsHeardWhileItFollows() {
        PublishedProgress gate = PublishedProgress.opened(EARLY, 20, 20).moved(LATE, 21, false);

        assertThat(gate.moved(EARLY, 22, false).published()).isEqualTo(EARLY);
    }
}
