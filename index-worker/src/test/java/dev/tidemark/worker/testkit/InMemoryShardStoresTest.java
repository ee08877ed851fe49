package dev.tidemark.worker.testkit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import org.junit.jupiter.api.Test;

import dev.tidemark.progress.Progress;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStoreContract;
import dev.tidemark.worker.store.ShardStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class InMemoryShardStoresTest extends ShardStoreContract {
    private final InMemoryShardStores stores = new InMemoryShardStores();

    @Override
    protected ShardStores stores() {
        return stores;
    }

    @Test
    void aCrashTakesTheNewestCommitsAndNothingElse() {
        ShardStore store = open();
        for (int i = 1; i <= 3; i++) {
            store.commit(new ShardBatch(
                    List.of(new IndexMutation.PutEntry(11, key("k" + i), key(""))),
                    Map.of(key("row"), Optional.of(RowState.without(ChangeLog.version(i), RowState.Standing.LIVE))),
                    Map.of(),
                    checkpoint(i)));
        }
        stores.crash(ID, 2);
        assertThatThrownBy(store::checkpoint).isInstanceOf(RuntimeException.class);
        try (ShardStore again = open()) {
            assertThat(again.checkpoint().nextOffset()).isEqualTo(1);
            assertThat(again.rowStates(List.of(key("row"))).get(0).map(RowState::version))
                    .contains(ChangeLog.version(1));
        }
    }

    @Test
    void noPowerCutUndoesWhatWasCommittedToSurviveIt() {
        ShardStore store = open();
        store.commit(ShardBatch.of(checkpoint(1)));
        store.commit(ShardBatch.of(checkpoint(2)), Durability.POWER_CUT);
        store.commit(ShardBatch.of(checkpoint(3)));
        stores.crash(ID, 9);
        try (ShardStore again = open()) {
            assertThat(again.checkpoint().nextOffset()).isEqualTo(2);
        }
    }

    private static ShardCheckpoint checkpoint(long offset) {
        return new ShardCheckpoint(
                offset, OptionalInt.empty(), Progress.UNKNOWN, ChangeLog.START, CHECKPOINT.generations(), 0, 0);
    }
}
