package dev.tidemark.worker.rocks;

import java.util.Arrays;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RefusedRow;

/** Rows that a generation cannot hold: version and reason. */
final class RefusedCodec {
    private RefusedCodec() {}

    static byte[] write(IndexMutation.Refuse refused) {
        return new RecordWriter()
                .version(refused.version())
                .text(refused.reason())
                .toBytes();
    }

    /** Reads a row from the key that {@link ShardTables#refusedKey} made and from what is stored there. */
    static RefusedRow read(byte[] key, byte[] value) {
        RecordReader in = new RecordReader(value);
        KeyBytes primaryKey = KeyBytes.wrap(Arrays.copyOfRange(key, Long.BYTES, key.length));
        return new RefusedRow(primaryKey, in.version(), in.text());
    }
}
