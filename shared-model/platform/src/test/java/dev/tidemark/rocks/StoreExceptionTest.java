package dev.tidemark.rocks;

import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Status.Code;
import org.rocksdb.Status.SubCode;

import static org.assertj.core.api.Assertions.assertThat;

class StoreExceptionTest {
    @Test
    void tellsAFailedDiskFromAFullOneAndFromDamage() {
        assertThat(of(Code.IOError, SubCode.None).isDiskFailure()).isTrue();
        assertThat(of(Code.IOError, SubCode.NoSpace).isDiskFailure()).isFalse();
        assertThat(of(Code.Corruption, SubCode.None).isDiskFailure()).isFalse();
        assertThat(of(Code.Corruption, SubCode.None).isDamage()).isTrue();
        assertThat(of(Code.IOError, SubCode.None).isDamage()).isFalse();
    }

    private static StoreException of(Code code, SubCode subCode) {
        return new StoreException("failed", new RocksDBException("failed", new Status(code, subCode, "")));
    }
}
