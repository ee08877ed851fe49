package dev.tidemark.writer.rocks;

import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Status.Code;
import org.rocksdb.Status.SubCode;

import dev.tidemark.rocks.StoreException;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactsUnreadableException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FactFailuresTest {
    private final DiskFailure disk = new DiskFailure();
    private final FactFailures failures = new FactFailures(disk);

    @Test
    void afterAWriteAtWhichTheDiskFailedNoOtherIsTakenThoughRowsCanBeRead() {
        assertThatThrownBy(() -> failures.writing(() -> fail(Code.IOError, SubCode.None)))
                .isInstanceOf(StoreException.class);

        assertThat(disk.refusal()).hasValueSatisfying(why -> assertThat(why).contains("start again"));
        assertThat(failures.reading(() -> "a row")).isEqualTo("a row");
    }

    @Test
    void aReadAtWhichTheDiskFailedFailsForItsCallerOnly() {
        assertThatThrownBy(() -> failures.reading(() -> fail(Code.IOError, SubCode.None)))
                .isInstanceOf(StoreException.class);
        assertThat(disk.refusal()).isEmpty();
    }

    @Test
    void aFullDiskAndDamageAreNoFailureOfTheDisk() {
        assertThatThrownBy(() -> failures.writing(() -> fail(Code.IOError, SubCode.NoSpace)))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> failures.writing(() -> fail(Code.Corruption, SubCode.None)))
                .isInstanceOf(FactsUnreadableException.class);
        assertThatThrownBy(() -> failures.reading(() -> fail(Code.Corruption, SubCode.None)))
                .isInstanceOf(FactsUnreadableException.class);

        assertThat(disk.refusal()).isEmpty();
    }

    private static String fail(Code code, SubCode subCode) {
        throw new StoreException("failed", new RocksDBException("failed", new Status(code, subCode, "")));
    }
}
