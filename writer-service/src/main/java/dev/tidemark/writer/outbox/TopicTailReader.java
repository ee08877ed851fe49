package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.outbox.EventPublisher.Shard;

/** What topics hold, read by the writer itself; for the relay alone. */
public interface TopicTailReader {
    /**
     * The next records of a partition in their order.
     *
     * @param from offset of the first; one that is gone stands for the oldest that there is
     * @param end an offset that the partition has come to; records from there on may be read or not
     * @throws PublishException when the log cannot be read
     */
    Piece read(Shard shard, long from, long end) throws PublishException, InterruptedException;

    /**
     * The first record of a partition at or after an offset; empty where compaction removed all that a read reaches.
     *
     * @param offset below one that the partition has come to
     * @throws PublishException when the log cannot be read
     */
    Optional<Found> first(Shard shard, long offset) throws PublishException, InterruptedException;

    /** Lets go of what reading takes; it is made again when it is needed. */
    void release();

    /**
     * A record of a partition.
     *
     * @param message empty where no writer can have written it
     * @param expectation where the relay that sent it expected it
     */
    record Found(long offset, Optional<ChangeMessage> message, ExpectedPosition expectation) {
        /** Whether it is the change with a sequence. */
        boolean isChange(long sequence) {
            return message.filter(one -> one instanceof ChangeEvent change
                            && change.version().sequence() == sequence)
                    .isPresent();
        }

        /**
         * Whether the partition may have gone further when the record was sent, and have lost records since. What a
         * writer sent without an expected offset may be such a record.
         */
        boolean mayBeBehindLoss() {
            boolean hasNoOffset = message.isPresent() && expectation.offset() == ExpectedPosition.UNKNOWN;
            return hasNoOffset || Math.max(expectation.known(), expectation.offset()) > offset;
        }
    }

    /**
     * A piece of a partition.
     *
     * @param messages what a writer may have written
     * @param unreadable keys of records that no writer can have written
     * @param session the highest number of a producer that sent one of them; 0 where no record says one
     * @param next the offset to go on from; above the one that was asked for
     */
    record Piece(List<ChangeMessage> messages, Set<KeyBytes> unreadable, long session, long next) {
        public Piece {
            messages = List.copyOf(messages);
            unreadable = Set.copyOf(unreadable);
        }
    }
}
