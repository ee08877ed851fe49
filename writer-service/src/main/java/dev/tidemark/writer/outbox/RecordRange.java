package dev.tidemark.writer.outbox;

/**
 * Records of a partition that have to be looked through.
 *
 * @param from offset of the first
 * @param end offset after the last
 */
record RecordRange(TopicSpec spec, int partition, long from, long end) {
    boolean isEmpty() {
        return from >= end;
    }

    RecordRange goingOnFrom(long next) {
        return new RecordRange(spec, partition, next, end);
    }
}
