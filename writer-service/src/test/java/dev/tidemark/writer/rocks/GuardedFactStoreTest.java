package dev.tidemark.writer.rocks;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Status.Code;
import org.rocksdb.Status.SubCode;

import dev.tidemark.rocks.StoreException;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryFactStore;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GuardedFactStoreTest {
    private final InMemoryDisk disk = new InMemoryDisk();
    private final DiskFailure failure = new DiskFailure();
    private final GuardedFactStore store = new GuardedFactStore(new InMemoryFactStore(disk), failure);

    @Test
    void afterAWriteAtWhichTheDiskFailedNoOtherIsTakenThoughRowsCanBeRead() {
        store.commit(batch(put(1, 1, "Oslo")));
        disk.failNextWrite(failing(Code.IOError, SubCode.None));

        assertThatThrownBy(() -> store.commit(batch(put(2, 2, "Bergen")))).isInstanceOf(StoreException.class);

        assertThat(failure.refusal()).hasValueSatisfying(why -> assertThat(why).contains("start again"));
        assertThat(store.find("customers", customerKey(1))).isNotNull();
    }

    @Test
    void anIdleWriterNoticesToo() {
        disk.failNextWrite(failing(Code.IOError, SubCode.None));
        assertThatThrownBy(() -> store.reserveTimestamps(Instant.EPOCH)).isInstanceOf(StoreException.class);
        assertThat(failure.refusal()).isPresent();
    }

    @Test
    void aFullDiskAndDamageAreNoFailureOfTheDisk() {
        CommitPosition last = store.lastCommit();
        disk.failNextWrite(failing(Code.IOError, SubCode.NoSpace));
        assertThatThrownBy(() -> store.beginEpoch(last)).isInstanceOf(StoreException.class);

        disk.failNextWrite(failing(Code.Corruption, SubCode.None));
        assertThatThrownBy(() -> store.beginEpoch(last)).isInstanceOf(FactsUnreadableException.class);

        assertThat(failure.refusal()).isEmpty();
    }

    private static StoreException failing(Code code, SubCode subCode) {
        return new StoreException("failed", new RocksDBException("failed", new Status(code, subCode, "")));
    }
}
