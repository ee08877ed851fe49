package dev.tidemark.writer.recovery;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.zip.CRC32C;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.PrivateFiles;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;

/**
 * The high-water mark: the newest commit position in a separate file, written after each commit and synced about once a
 * second. So it may be behind the fact tables, by up to a second after a power cut, and is never ahead of what they had
 * on disk.
 *
 * <p>Two records take turns, so that one torn by a power cut leaves the other. For the committer's thread, except
 * {@link #sync()}. The file is a {@link RandomAccessFile}, because an interrupt closes a {@code FileChannel}.
 */
public final class CommitHighWaterMark implements Committer.Listener, AutoCloseable {
    /** Name of the file in the data directory. */
    public static final String FILE = "witness";

    private static final Logger LOGGER = LoggerFactory.getLogger(CommitHighWaterMark.class);
    /** Five bytes that name the file, and three with the number of the format. */
    private static final long FORMAT = 0x74_6d_77_69_74_00_00_01L;

    private static final long NUMBER_BITS = 0xff_ff_ffL;
    private static final int RECORD = 5 * Long.BYTES;
    private static final int RECORDS = 2;

    private final RandomAccessFile file;
    private final @Nullable CommitPosition found;
    private long notes;
    private boolean failing;
    private volatile boolean unsynced;

    private CommitHighWaterMark(RandomAccessFile file, Path path) throws IOException, NewerFormatException {
        this.file = file;
        CommitPosition newest = null;
        for (int i = 0; i < RECORDS; i++) {
            CommitPosition read = read(i, path);
            if (read != null && (newest == null || isAfter(read, newest))) {
                newest = read;
                notes = i + 1L;
            }
        }
        this.found = newest;
    }

    /**
     * Opens the file of a data directory, making it where it is absent.
     *
     * @throws NewerFormatException when a newer version of the service wrote it
     */
    public static CommitHighWaterMark open(Path directory) throws IOException, NewerFormatException {
        Path path = directory.resolve(FILE);
        PrivateFiles.create(path);
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        try {
            return new CommitHighWaterMark(file, path);
        } catch (IOException | NewerFormatException e) {
            file.close();
            throw e;
        }
    }

    /** Continues as after this number of written records. */
    void countFrom(long noted) {
        notes = noted;
    }

    /** The last commit that runs before this one wrote down; empty when there is none, or none that can be read. */
    public Optional<CommitPosition> seen() {
        return Optional.ofNullable(found);
    }

    @Override
    public void committed(FactBatch batch, Duration took) {
        note(batch.through());
    }

    @Override
    public void promised(CommitPosition place) {
        note(place);
    }

    /** Writes a place down that is on disk. */
    public void note(CommitPosition point) {
        ByteBuffer out = ByteBuffer.allocate(RECORD)
                .putLong(FORMAT)
                .putLong(point.version().epoch())
                .putLong(point.version().sequence())
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, point.time()));
        out.putLong(checksum(out.array()));
        try {
            file.seek(notes % RECORDS * RECORD);
            file.write(out.array());
            notes++;
            unsynced = true;
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                LOGGER.warn("The newest commit cannot be written down beside the fact tables; commits go on", e);
            }
            failing = true;
        }
    }

    /** What was written survives a power cut when this returns. For any thread. */
    public void sync() throws IOException {
        if (unsynced) {
            unsynced = false;
            file.getFD().sync();
        }
    }

    /** The same, on a thread on which no commit waits for it; a failure is logged and stops nothing. */
    public void syncOrLog() {
        try {
            sync();
        } catch (IOException e) {
            LOGGER.warn("The newest commit that was written down beside the fact tables cannot be synced", e);
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            sync();
        }
    }

    /** Of two places with one version, the one of the later promise is the newer. */
    private static boolean isAfter(CommitPosition place, CommitPosition other) {
        return place.version().isAfter(other.version())
                || (place.version().equals(other.version()) && place.time().isAfter(other.time()));
    }

    /** A record of any format has this length and this checksum, so that a torn one is not taken for a newer one. */
    private @Nullable CommitPosition read(int index, Path path) throws IOException, NewerFormatException {
        if (file.length() < (long) (index + 1) * RECORD) {
            return null;
        }
        byte[] bytes = new byte[RECORD];
        file.seek((long) index * RECORD);
        file.readFully(bytes);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long format = in.getLong();
        if ((format | NUMBER_BITS) != (FORMAT | NUMBER_BITS) || in.getLong(RECORD - Long.BYTES) != checksum(bytes)) {
            return null;
        }
        if (format != FORMAT) {
            throw new NewerFormatException(path, FORMAT & NUMBER_BITS, format & NUMBER_BITS);
        }
        RowVersion version = new RowVersion(in.getLong(), in.getLong());
        return new CommitPosition(version, Instant.EPOCH.plus(in.getLong(), ChronoUnit.MICROS));
    }

    private static long checksum(byte[] record) {
        CRC32C checksum = new CRC32C();
        checksum.update(record, 0, RECORD - Long.BYTES);
        return checksum.getValue();
    }
}
