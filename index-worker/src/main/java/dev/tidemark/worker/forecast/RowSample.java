package dev.tidemark.worker.forecast;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.WireRecord;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/**
 * The sampled rows of a table, each in its newest version: those whose primary key has a hash below a bound. A row is
 * thus in the sample with all its versions or not at all, and a smaller sample is a part of a larger one. When the rows
 * exceed a number of bytes, the fraction of the sample is halved as often as necessary. Belongs to one thread.
 */
public final class RowSample {
    /** What a row takes besides its key and its JSON. */
    private static final int OVERHEAD = 160;

    /** Number of different hashes. */
    private static final double HASHES = 0x1p53;

    private final ChangeCodec codec;
    private final long mostBytes;
    private final Map<KeyBytes, Newest> rows = new HashMap<>();
    private double fraction;
    private long bytes;
    private long unreadable;

    /** The newest version of a row, with its JSON; without any where it was deleted. */
    private record Newest(RowVersion version, KeyBytes json) {
        boolean isThere() {
            return json.length() > 0;
        }
    }

    /**
     * No row yet.
     *
     * @param fraction the part of the rows to sample, above 0 and at most 1
     * @param mostBytes how much the rows may take
     */
    public RowSample(String table, double fraction, long mostBytes) {
        if (!(fraction > 0 && fraction <= 1)) {
            throw new IllegalArgumentException("Expected a part above 0 and at most 1, but got " + fraction);
        }
        this.codec = new ChangeCodec(table);
        this.fraction = fraction;
        this.mostBytes = mostBytes;
    }

    /** Takes a record of the change topic into account; in any order. */
    public void add(WireRecord record) {
        if (record.key().equals(ChangeCodec.HEARTBEAT_KEY) || !holds(record.key())) {
            return;
        }
        try {
            read(codec.decode(record));
        } catch (MalformedChangeException e) {
            unreadable++;
        }
        while (bytes > mostBytes) {
            narrow();
        }
    }

    /** The part of the rows that is in, by now. */
    public double fraction() {
        return fraction;
    }

    /** Rows that are there. */
    public long live() {
        return rows.values().stream().filter(Newest::isThere).count();
    }

    /** Sampled records that could not be read. */
    public long unreadable() {
        return unreadable;
    }

    /** Passes every row that exists to the visitor. */
    public void forEach(BiConsumer<KeyBytes, RowDocument> visitor) {
        rows.forEach((key, newest) -> {
            if (newest.isThere()) {
                visitor.accept(key, RowDocument.stored(newest.json().array()));
            }
        });
    }

    private void read(ChangeMessage message) {
        if (message instanceof ChangeEvent.Upserted event) {
            put(
                    event.key(),
                    new Newest(event.version(), KeyBytes.wrap(event.row().bytes())));
        } else if (message instanceof ChangeEvent event) {
            put(event.key(), new Newest(event.version(), KeyBytes.EMPTY));
        }
    }

    private void put(KeyBytes key, Newest newest) {
        Optional<Newest> known = Optional.ofNullable(rows.get(key));
        if (known.isPresent() && !newest.version().isAfter(known.get().version())) {
            return;
        }
        rows.put(key, newest);
        bytes += size(key, newest) - known.map(before -> size(key, before)).orElse(0);
    }

    private void narrow() {
        fraction /= 2;
        rows.keySet().removeIf(key -> !holds(key));
        bytes = rows.entrySet().stream()
                .mapToLong(row -> size(row.getKey(), row.getValue()))
                .sum();
    }

    private boolean holds(KeyBytes primaryKey) {
        return (EntryDigest.fingerprint(primaryKey) >>> 11) / HASHES < fraction;
    }

    private static int size(KeyBytes key, Newest newest) {
        return key.length() + newest.json().length() + OVERHEAD;
    }
}
