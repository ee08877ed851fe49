package dev.tidemark.worker.forecast;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

import dev.tidemark.key.KeyBytes;

/**
 * Estimates how much smaller keys and values are once they are stored, from a sample of them. It packs blocks of them
 * as LZ4 does, which the store and the topics use. Belongs to one thread.
 */
final class PackedSize {
    private static final int STORE_BLOCK = 16 * 1024;
    private static final int TOPIC_BLOCK = 64 * 1024;
    private static final int MOST_PAIRS = 20_000;
    private static final long MOST_BYTES = 4L << 20;

    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final List<Pair> pairs = new ArrayList<>();
    private final int blockBytes;
    private final boolean sorted;
    private long bytes;

    private record Pair(KeyBytes key, KeyBytes value) {}

    private PackedSize(int blockBytes, boolean sorted) {
        this.blockBytes = blockBytes;
        this.sorted = sorted;
    }

    /** In files of the store: in the order of keys, each without the prefix that it shares with the one before. */
    static PackedSize ofStore() {
        return new PackedSize(STORE_BLOCK, true);
    }

    /** In a topic: in the order in which they are added. */
    static PackedSize ofTopic() {
        return new PackedSize(TOPIC_BLOCK, false);
    }

    /** Takes a key and its value into account; ignored when there are enough. */
    void add(KeyBytes key, KeyBytes value) {
        if (pairs.size() < MOST_PAIRS && bytes < MOST_BYTES) {
            pairs.add(new Pair(key, value));
            bytes += key.length() + value.length();
        }
    }

    /** Stored bytes for each byte of keys and values, above 0 and at most 1; 1 without any. */
    double ratio() {
        if (sorted) {
            pairs.sort(Comparator.comparing(Pair::key));
        }
        ByteArrayOutputStream block = new ByteArrayOutputStream(blockBytes);
        KeyBytes before = KeyBytes.EMPTY;
        long packed = 0;
        for (Pair pair : pairs) {
            int shared = sorted ? shared(before, pair.key()) : 0;
            block.write(pair.key().array(), shared, pair.key().length() - shared);
            block.write(pair.value().array(), 0, pair.value().length());
            before = pair.key();
            if (block.size() >= blockBytes) {
                packed += packed(block.toByteArray());
                block.reset();
            }
        }
        packed += packed(block.toByteArray());
        return bytes == 0 ? 1 : Math.min(1, (double) packed / bytes);
    }

    private static int shared(KeyBytes before, KeyBytes key) {
        int differ = Arrays.mismatch(before.array(), key.array());
        return differ < 0 ? key.length() : differ;
    }

    /** Bytes of a block once it is packed, or of the block itself where these are fewer. */
    private int packed(byte[] block) {
        return Math.min(block.length, compressor.compress(block).length);
    }
}
