package dev.tidemark.writer.failpoint;

import java.util.List;

import dev.tidemark.runtime.Failpoints;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.outbox.Outbox;

/** An outbox with places around each of the relay's steps. */
public record FailpointOutbox(Outbox outbox, Failpoints points) implements Outbox {
    @Override
    public List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes) {
        List<CommittedChange> page = outbox.readAfter(sequence, maxEntries, maxBytes);
        points.reach(WriterFailpoint.RELAY_READ.label());
        return page;
    }

    @Override
    public long publishedThrough() {
        return outbox.publishedThrough();
    }

    @Override
    public void markPublished(long sequence) {
        points.reach(WriterFailpoint.RELAY_ACKNOWLEDGED.label());
        outbox.markPublished(sequence);
        points.reach(WriterFailpoint.RELAY_REMEMBERED.label());
    }

    @Override
    public void makeMarksDurable() {
        outbox.makeMarksDurable();
    }

    @Override
    public long lowWaterMark() {
        return outbox.lowWaterMark();
    }

    @Override
    public void trim(long throughSequence) {
        points.reach(WriterFailpoint.TRIM_BEFORE.label());
        outbox.trim(throughSequence);
        points.reach(WriterFailpoint.TRIM_DONE.label());
    }
}
