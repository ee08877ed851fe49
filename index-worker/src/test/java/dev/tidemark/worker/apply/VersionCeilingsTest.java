package dev.tidemark.worker.apply;

import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class VersionCeilingsTest {
    private static final VersionCeiling LOW = new VersionCeiling(10, ChangeLog.version(7));
    private static final VersionCeiling HIGH = new VersionCeiling(20, ChangeLog.version(9));

    @Test
    void theLowestThatAppliesToARecordCounts() {
        VersionCeilings both = VersionCeilings.NONE.and(LOW, 0).and(HIGH, 0);
        assertThat(both.of(at(9))).isEqualTo(LOW);
        assertThat(both.of(at(10))).isEqualTo(HIGH);
        assertThat(both.of(at(20))).isEqualTo(VersionCeiling.NONE);
        assertThat(VersionCeilings.NONE.and(HIGH, 0).and(LOW, 0).of(at(9))).isEqualTo(LOW);
    }

    @Test
    void thoseOfRecordsThatAreNotReadAgainAreForgotten() {
        assertThat(VersionCeilings.NONE.and(LOW, 0).and(HIGH, 10).all()).containsExactly(HIGH);
    }

    @Test
    void thereAreNeverMany() {
        VersionCeilings many = VersionCeilings.NONE;
        for (int i = 1; i <= 1_000; i++) {
            many = many.and(new VersionCeiling(i, ChangeLog.version(i)), 0);
        }
        assertThat(many.all()).hasSize(64).endsWith(new VersionCeiling(1_000, ChangeLog.version(1_000)));
    }

    private static LogRecord at(long offset) {
        return new LogRecord(offset, new WireRecord(KeyBytes.wrap(new byte[] {1}), null, Map.of()));
    }
}
