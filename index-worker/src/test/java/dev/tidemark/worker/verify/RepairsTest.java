package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.apply.RowRepair;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.ShardView;

import static org.assertj.core.api.Assertions.assertThat;

class RepairsTest {
    @Test
    void onlyRowsThatWerePutRightCount() throws Exception {
        assertThat(repaired(new Shard(true))).isEqualTo(150);
        assertThat(repaired(new Shard(false))).isZero();
    }

    @Test
    void rowsOfManyBytesDoNotWaitForOthers() throws Exception {
        Repairs repairs = new Repairs(new VerifyTotals(), passed -> {}, true);
        List<Integer> sent = new ArrayList<>();
        ShardWindow shard = new Shard(true, sent);
        for (int i = 0; i < 6; i++) {
            KeyBytes key = KeyBytes.wrap(new byte[] {(byte) i});
            RowDocument row = RowDocument.stored(new byte[600 << 10]);
            repairs.differs(wrong(shard, key, Optional.of(row), Set.of()));
        }

        assertThat(sent).containsExactly(2, 2, 2);
    }

    @Test
    void rowsAreHandedOver100AtATimeOrOnceTheyHaveManyBytes() throws Exception {
        List<Integer> sent = new ArrayList<>();
        Repairs repairs = new Repairs(new VerifyTotals(), passed -> {}, true);
        ShardWindow shard = new Shard(true, sent);
        for (int i = 0; i < 99; i++) {
            repairs.differs(wrong(shard, i, Set.of()));
        }
        assertThat(sent).isEmpty();
        repairs.differs(wrong(shard, 99, Set.of()));
        assertThat(sent).containsExactly(100);

        repairs.differs(wrong(shard, 100, Set.of(entry((1 << 20) - 1))));
        assertThat(sent).as("a byte too few").containsExactly(100);
        repairs.differs(wrong(shard, 101, Set.of(entry(1))));
        assertThat(sent).containsExactly(100, 2);

        repairs.differs(wrong(shard, 102, Set.of(entry(1))));
        assertThat(repairs.finish()).isEqualTo(103);
        assertThat(sent).containsExactly(100, 2, 1);
    }

    @Test
    void bothTheRowAndItsEntriesAreBytesThatWait() throws Exception {
        List<Integer> sent = new ArrayList<>();
        RowDocument row = RowDocument.stored(new byte[600 << 10]);
        KeyBytes key = KeyBytes.wrap(new byte[] {1});

        new Repairs(new VerifyTotals(), passed -> {}, true)
                .differs(wrong(new Shard(true, sent), key, Optional.of(row), Set.of(entry(424 << 10))));

        assertThat(sent).containsExactly(1);
    }

    private static WrongRow wrong(ShardWindow shard, int row, Set<KeyBytes> seen) {
        KeyBytes key = KeyBytes.wrap(new byte[] {(byte) row});
        return wrong(shard, key, Optional.empty(), seen);
    }

    private static WrongRow wrong(ShardWindow shard, KeyBytes key, Optional<RowDocument> row, Set<KeyBytes> seen) {
        Optional<RowRepair.Fact> fact = row.map(document -> new RowRepair.Fact(RowVersion.NONE, document));
        SortedMap<Long, Set<KeyBytes>> entries = new TreeMap<>(Map.of(1L, seen));
        return new WrongRow(shard, new RowRepair(key, fact, RowVersion.NONE, entries, Optional.empty()));
    }

    private static KeyBytes entry(int bytes) {
        return KeyBytes.wrap(new byte[bytes]);
    }

    private static long repaired(ShardWindow shard) throws InterruptedException {
        Repairs repairs = new Repairs(new VerifyTotals(), passed -> {}, true);
        for (int i = 0; i < 150; i++) {
            KeyBytes key = KeyBytes.wrap(new byte[] {(byte) i});
            repairs.differs(wrong(shard, key, Optional.empty(), Set.of()));
        }
        return repairs.finish();
    }

    /** Repairs everything, or is closed before it comes to that. */
    private record Shard(boolean repairs, List<Integer> sent) implements ShardWindow {
        Shard(boolean repairs) {
            this(repairs, new ArrayList<>());
        }

        @Override
        public int partition() {
            return 0;
        }

        @Override
        public RowVersion through() {
            return RowVersion.NONE;
        }

        @Override
        public Optional<DigestFinding> digest(long generation) {
            return Optional.empty();
        }

        @Override
        public ShardView open() throws CannotVerifyException {
            throw new CannotVerifyException("the shard is closed");
        }

        @Override
        public boolean repair(List<RowRepair> rows) {
            sent.add(rows.size());
            return repairs;
        }

        @Override
        public boolean correct(long generation, GenerationStats by) {
            return repairs;
        }

        @Override
        public void judge(long generation, VerificationResult proof) {
            throw new AssertionError("nobody judges here");
        }

        @Override
        public boolean isLeaving() {
            return !repairs;
        }
    }
}
