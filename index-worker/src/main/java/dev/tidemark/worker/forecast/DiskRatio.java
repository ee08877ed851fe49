package dev.tidemark.worker.forecast;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.Deflater;

import dev.tidemark.key.KeyBytes;

/**
 * Estimates how much smaller entries are on disk than their bytes. It takes the entries of a sample in key order,
 * removes from each key the prefix that it shares with the one before, and compresses blocks of them. A fast deflate
 * stands for the compression of the store. Belongs to one thread.
 */
final class DiskRatio {
    private static final int BLOCK = 16 * 1024;
    private static final int MOST_ENTRIES = 20_000;
    private static final long MOST_BYTES = 4L << 20;

    private final List<Entry> entries = new ArrayList<>();
    private long bytes;

    private record Entry(KeyBytes key, KeyBytes carried) {}

    /** Takes an entry into account; ignored when there are enough. */
    void add(KeyBytes key, KeyBytes carried) {
        if (entries.size() < MOST_ENTRIES && bytes < MOST_BYTES) {
            entries.add(new Entry(key, carried));
            bytes += key.length() + carried.length();
        }
    }

    /** Bytes on disk for each byte of the entries, above 0 and at most 1; 1 without entries. */
    double ratio() {
        entries.sort(Comparator.comparing(Entry::key));
        ByteArrayOutputStream block = new ByteArrayOutputStream(BLOCK);
        KeyBytes before = KeyBytes.EMPTY;
        long plain = 0;
        long packed = 0;
        for (Entry entry : entries) {
            int differ = Arrays.mismatch(before.array(), entry.key().array());
            int shared = differ < 0 ? entry.key().length() : differ;
            block.write(entry.key().array(), shared, entry.key().length() - shared);
            block.write(entry.carried().array(), 0, entry.carried().length());
            plain += entry.key().length() + entry.carried().length();
            before = entry.key();
            if (block.size() >= BLOCK) {
                packed += packed(block.toByteArray());
                block.reset();
            }
        }
        packed += packed(block.toByteArray());
        return plain == 0 ? 1 : Math.min(1, (double) packed / plain);
    }

    /** Bytes of a block once it is compressed, or of the block itself where these are fewer. */
    private static int packed(byte[] block) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(block);
            deflater.finish();
            return deflater.deflate(new byte[block.length]);
        } finally {
            deflater.end();
        }
    }
}
