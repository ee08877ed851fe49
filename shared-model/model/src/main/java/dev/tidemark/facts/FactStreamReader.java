package dev.tidemark.facts;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/** Reads one stream, row by row. Closing it closes the stream below. */
public final class FactStreamReader implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;

    /** Longest key and row believed: far above what a writer accepts, far below what memory holds. */
    private static final int MAX_PART_BYTES = 64 << 20;

    private final DataInputStream in;
    private final FactStreamHead head;
    private KeyBytes last = KeyBytes.EMPTY;
    private long count;
    private boolean ended;

    /**
     * Reads the head.
     *
     * @throws TornStreamException when there is none
     */
    public FactStreamReader(InputStream in) throws IOException {
        this.in = new DataInputStream(new BufferedInputStream(in, BUFFER_BYTES));
        this.head = readHead();
    }

    /** Which moment the stream shows. */
    public FactStreamHead head() {
        return head;
    }

    /**
     * The next row, in ascending order of keys.
     *
     * @return null after the last row of a whole stream
     * @throws TornStreamException when the stream ends without having said so, or is not what a writer sends
     */
    public @Nullable StreamedFact next() throws IOException {
        if (ended) {
            return null;
        }
        try {
            byte kind = in.readByte();
            if (kind == FactFrames.END) {
                requireEnd(in.readLong());
                return null;
            }
            if (kind != FactFrames.ROW && kind != FactFrames.VERSION) {
                throw new TornStreamException("Expected a frame after row " + count + ", but got kind " + kind);
            }
            return fact(kind == FactFrames.ROW);
        } catch (EOFException e) {
            throw new TornStreamException("Expected an end frame, but the stream ends after row " + count);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private FactStreamHead readHead() throws IOException {
        try {
            int magic = in.readInt();
            if (magic != FactFrames.MAGIC) {
                throw new TornStreamException(
                        "Expected a stream of facts, but it begins with " + Integer.toHexString(magic));
            }
            return new FactStreamHead(version(), Instant.EPOCH.plus(in.readLong(), ChronoUnit.MICROS));
        } catch (EOFException e) {
            throw new TornStreamException("Expected a stream of facts, but it ends in its head");
        }
    }

    private StreamedFact fact(boolean whole) throws IOException {
        KeyBytes key = KeyBytes.wrap(part());
        if (count > 0 && key.compareTo(last) <= 0) {
            throw new TornStreamException("Expected a key above " + last + ", but got " + key);
        }
        RowVersion version = version();
        Optional<RowDocument> row = whole ? Optional.of(RowDocument.stored(part())) : Optional.empty();
        last = key;
        count++;
        return new StreamedFact(key, version, row);
    }

    private RowVersion version() throws IOException {
        long epoch = in.readLong();
        long sequence = in.readLong();
        try {
            return new RowVersion(epoch, sequence);
        } catch (IllegalArgumentException e) {
            throw new TornStreamException("After row " + count + ": " + e.getMessage());
        }
    }

    private byte[] part() throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_PART_BYTES) {
            throw new TornStreamException("Expected at most " + MAX_PART_BYTES + " bytes after row " + count
                    + ", but the length is " + length);
        }
        byte[] part = in.readNBytes(length);
        if (part.length < length) {
            throw new EOFException();
        }
        return part;
    }

    private void requireEnd(long told) throws TornStreamException {
        if (told != count) {
            throw new TornStreamException("Expected " + told + " rows, but got " + count);
        }
        ended = true;
    }
}
