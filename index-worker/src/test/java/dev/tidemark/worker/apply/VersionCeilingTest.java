package dev.tidemark.worker.apply;

import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class VersionCeilingTest {
    private final VersionCeiling ceiling = new VersionCeiling(20, ChangeLog.version(7));

    @Test
    void aRecordThatHadBeenReadHasNoVersionAboveWhatTheWriterHadGiven() {
        assertThat(ceiling.isBelow(at(19), ChangeLog.version(8))).isTrue();
        assertThat(ceiling.isBelow(at(19), ChangeLog.version(7))).isFalse();
    }

    @Test
    void nothingIsSaidOfARecordThatHadNotBeenRead() {
        assertThat(ceiling.isBelow(at(20), ChangeLog.version(8))).isFalse();
        assertThat(ceiling.isAbout(at(20))).isFalse();
        assertThat(VersionCeiling.NONE.isAbout(at(0))).isFalse();
    }

    private static LogRecord at(long offset) {
        return new LogRecord(offset, new WireRecord(KeyBytes.EMPTY, null, Map.of()));
    }
}
