package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.util.Arrays;

import dev.tidemark.key.KeyBytes;

/** Keys of {@link WriterDatabase#facts}. */
final class RowFormat {
    private RowFormat() {}

    static KeyBytes prefix(StoredTable table) {
        return KeyBytes.wrap(
                ByteBuffer.allocate(Integer.BYTES).putInt(table.id()).array());
    }

    static byte[] key(StoredTable table, KeyBytes key) {
        return prefix(table).concat(key).array();
    }

    static KeyBytes primaryKey(byte[] key) {
        return KeyBytes.wrap(Arrays.copyOfRange(key, Integer.BYTES, key.length));
    }
}
