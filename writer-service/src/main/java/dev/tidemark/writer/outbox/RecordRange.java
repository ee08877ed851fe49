package dev.tidemark.writer.outbox;

import dev.tidemark.writer.outbox.EventPublisher.Shard;

/**
 * Records of a partition that have to be looked through.
 *
 * @param from offset of the first
 * @param end offset after the last
 */
record RecordRange(Shard shard, long from, long end) {
    boolean isEmpty() {
        return from >= end;
    }

    RecordRange goingOnFrom(long next) {
        return new RecordRange(shard, next, end);
    }
}
