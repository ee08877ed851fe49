package dev.tidemark.worker.rocks;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.RowState.Times;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class RowStateCodecTest {
    private static final KeyBytes KEY = KeyBytes.wrap(new byte[] {1, 2, 3});
    private static final RowState LIVE = new RowState(
            new RowVersion(1, 300),
            Standing.LIVE,
            Map.of(7L, new Entries(List.of(KEY), 0, Optional.empty()), 8L, Entries.NONE));

    @Test
    void addsNineBytesAtMostToAUsualRow() {
        RowState timed = LIVE.at(Times.of(ChangeLog.at(300), ChangeLog.at(300).plusMillis(900)));

        assertThat(RowStateCodec.write(timed)).hasSizeLessThanOrEqualTo(16 + 9);
        assertThat(RowStateCodec.read(RowStateCodec.write(timed))).isEqualTo(timed);
        assertThat(RowStateCodec.readVersion(RowStateCodec.write(timed))).isEqualTo(timed.version());
    }
}
