package dev.tidemark.writer.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.CRC32C;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;

/** A high-water mark as the next version of the writer may write it. */
public final class NewerWitness {
    private NewerWitness() {}

    /** Writes it to a data directory. */
    public static void write(Path directory) throws IOException, NewerFormatException {
        try (CommitHighWaterMark highWaterMark = CommitHighWaterMark.open(directory)) {
            highWaterMark.note(new CommitPosition(new RowVersion(1, 7), Instant.EPOCH));
        }
        Path file = directory.resolve(CommitHighWaterMark.FILE);
        ByteBuffer record = ByteBuffer.wrap(Files.readAllBytes(file));
        record.put(Long.BYTES - 1, (byte) 2);
        CRC32C checksum = new CRC32C();
        checksum.update(record.array(), 0, record.capacity() - Long.BYTES);
        record.putLong(record.capacity() - Long.BYTES, checksum.getValue());
        Files.write(file, record.array());
    }
}
