package dev.tidemark.worker.forecast;

import java.time.Duration;
import java.util.List;

import dev.tidemark.change.WireRecord;

/** Reads change topics from their beginning, independently of other readers. Belongs to the thread {@code forecast}. */
public interface TopicReader extends AutoCloseable {
    /**
     * The result of one poll.
     *
     * @param records records of rows and heartbeats, in the order of each partition
     * @param position offsets passed so far, over all partitions
     */
    record Piece(List<WireRecord> records, long position) {
        public Piece {
            records = List.copyOf(records);
        }
    }

    /**
     * Begins with a table, all its partitions from the first record to the end that they have now.
     *
     * @return the number of offsets to be passed, over all partitions
     * @throws RuntimeException when the brokers do not answer
     */
    long begin(String table, int partitions);

    /**
     * Waits for records, for at most {@code patience}. At the end there are none, and the position is what
     * {@link #begin} returned.
     *
     * @throws RuntimeException when the topic cannot be read on
     */
    Piece poll(Duration patience) throws InterruptedException;

    @Override
    void close();
}
