package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;

class ContinuityTest {
    private static final Instant LATEST = Instant.parse("2026-01-01T00:00:00Z");
    private static final long SESSION = 1_767_225_000_000_000L;

    private final Continuity continuity = new Continuity(0);

    @Test
    void aRecordWhereItIsExpectedProvesWhatIsBeforeIt() {
        assertThat(isProof(0, new ExpectedPosition(0, 0, SESSION))).isTrue();
        assertThat(isProof(1, new ExpectedPosition(1, 0, SESSION))).isTrue();
    }

    @Test
    void aRecordBehindAGapIsAProofOnceTheWriterKnowsWhatStoodThere() {
        isProof(0, new ExpectedPosition(0, 0, SESSION));

        assertThat(isProof(7, new ExpectedPosition(7, 6, SESSION)))
                .as("compaction may have removed a stranger's record that stood where one is missing")
                .isFalse();
        assertThat(isProof(8, new ExpectedPosition(8, 7, SESSION))).isTrue();
        assertThat(isProof(20, new ExpectedPosition(20, 20, SESSION))).isTrue();
    }

    @Test
    void aGapAtThePlaceWhereReadingBeganIsOneAsWell() {
        assertThat(isProof(6, new ExpectedPosition(6, 5, SESSION))).isFalse();
        assertThat(isProof(7, new ExpectedPosition(7, 6, SESSION))).isTrue();
    }

    @Test
    void aRecordThatIsNotWhereItIsExpectedProvesNothing() {
        assertThat(isProof(1, new ExpectedPosition(0, 0, SESSION))).isFalse();
        assertThat(isProof(2, new ExpectedPosition(ExpectedPosition.UNKNOWN, 0, SESSION)))
                .isFalse();
    }

    @Test
    void nothingIsBelievedBehindAStrangersRecordBeforeTheWriterKnowsOfIt() {
        isProof(0, new ExpectedPosition(0, 0, SESSION));
        continuity.isProof(new LogRecord(1, record(Map.of())), LATEST);

        assertThat(isProof(2, new ExpectedPosition(2, 1, SESSION)))
                .as("the stranger's may be where one is missing")
                .isFalse();
        assertThat(isProof(3, new ExpectedPosition(3, 2, SESSION))).isTrue();
    }

    @Test
    void norBehindARecordOfTheWriterThatIsInAWrongPlace() {
        assertThat(isProof(1, new ExpectedPosition(0, 0, SESSION))).isFalse();
        assertThat(isProof(2, new ExpectedPosition(2, 0, SESSION)))
                .as("a late one came, and one was lost")
                .isFalse();
        assertThat(isProof(3, new ExpectedPosition(3, 3, SESSION))).isTrue();
    }

    @Test
    void aRecordOfAnEarlierProducerProvesNothingWhereverItIs() {
        isProof(0, new ExpectedPosition(0, 0, SESSION + 1));

        assertThat(isProof(1, new ExpectedPosition(1, 1, SESSION))).isFalse();
        assertThat(isProof(2, new ExpectedPosition(2, 1, SESSION + 1))).isFalse();
        assertThat(isProof(3, new ExpectedPosition(3, 3, SESSION + 1))).isTrue();
    }

    @Test
    void aNewProducerHasToKnowWhatTheEarlierOneSent() {
        isProof(0, new ExpectedPosition(0, 0, SESSION));
        isProof(1, new ExpectedPosition(1, 0, SESSION));

        assertThat(isProof(2, new ExpectedPosition(2, 1, SESSION + 1)))
                .as("the late record at 1 may be where its first one is missing")
                .isFalse();
        assertThat(isProof(3, new ExpectedPosition(3, 2, SESSION + 1))).isTrue();
    }

    @Test
    void nothingIsKnownOfWhatStandsBeforeThePlaceWhereReadingBegan() {
        Continuity later = new Continuity(5);

        assertThat(later.isProof(logged(5, new ExpectedPosition(5, 4, SESSION)), LATEST))
                .isFalse();
        assertThat(later.isProof(logged(6, new ExpectedPosition(6, 5, SESSION)), LATEST))
                .isTrue();
    }

    @Test
    void olderWritersAreBelieved() {
        assertThat(continuity.isProof(new LogRecord(4, record(Map.of())), LATEST))
                .isTrue();
        assertThat(continuity.isProof(new LogRecord(5, record(Map.of(ExpectedPosition.HEADER, "5"))), LATEST))
                .isTrue();
        assertThat(continuity.isProof(new LogRecord(6, record(Map.of(ExpectedPosition.HEADER, "5"))), LATEST))
                .isFalse();
    }

    @Test
    void aForgedNumberOfAProducerThatCannotBeIsNotBelievedAndShutsNobodyOut() {
        long tomorrow = SESSION + Duration.ofDays(2).toMillis() * 1_000;

        assertThat(isProof(0, new ExpectedPosition(0, 0, tomorrow))).isFalse();
        assertThat(isProof(1, new ExpectedPosition(1, 1, Long.MAX_VALUE))).isFalse();
        assertThat(isProof(2, new ExpectedPosition(2, 2, SESSION))).isTrue();
    }

    private boolean isProof(long offset, ExpectedPosition said) {
        return continuity.isProof(logged(offset, said), LATEST);
    }

    private static LogRecord logged(long offset, ExpectedPosition said) {
        return new LogRecord(offset, record(Map.of(ExpectedPosition.HEADER, said.text())));
    }

    private static WireRecord record(Map<String, String> headers) {
        return new WireRecord(KeyBytes.wrap(new byte[] {1}), null, headers);
    }
}
