package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Set;

import dev.tidemark.change.ChangeMessage;
import dev.tidemark.key.KeyBytes;

/** What topics hold, read by the writer itself; for the relay alone. */
public interface TopicTailReader {
    /**
     * The next records of a partition in their order.
     *
     * @param from offset of the first; one that is gone stands for the oldest that there is
     * @param end an offset that the partition has come to; records from there on may be read or not
     * @throws PublishException when the log cannot be read
     */
    Piece read(TopicSpec spec, int partition, long from, long end) throws PublishException, InterruptedException;

    /**
     * Whether at an offset there is a record other than the change with some sequence. False where there is none any
     * more, because compaction took it.
     *
     * @param offset below one that the partition has come to
     * @throws PublishException when the log cannot be read
     */
    boolean holdsAnother(TopicSpec spec, int partition, long offset, long sequence)
            throws PublishException, InterruptedException;

    /** Lets go of what reading takes; it is made again when it is needed. */
    void release();

    /**
     * A piece of a partition.
     *
     * @param messages what a writer may have written
     * @param unreadable keys of records that no writer can have written
     * @param next the offset to go on from; above the one that was asked for
     */
    record Piece(List<ChangeMessage> messages, Set<KeyBytes> unreadable, long next) {
        public Piece {
            messages = List.copyOf(messages);
            unreadable = Set.copyOf(unreadable);
        }
    }
}
