package dev.tidemark.writer.killpoint;

import java.util.List;

import dev.tidemark.runtime.KillPoints;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.outbox.Outbox;

/** An outbox with places around each of the relay's steps. */
public record KillableOutbox(Outbox outbox, KillPoints points) implements Outbox {
    @Override
    public List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes) {
        List<CommittedChange> page = outbox.readAfter(sequence, maxEntries, maxBytes);
        points.reach(WriterPoint.RELAY_READ.label());
        return page;
    }

    @Override
    public long publishedThrough() {
        return outbox.publishedThrough();
    }

    @Override
    public void markPublished(long sequence) {
        points.reach(WriterPoint.RELAY_ACKNOWLEDGED.label());
        outbox.markPublished(sequence);
        points.reach(WriterPoint.RELAY_REMEMBERED.label());
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
        points.reach(WriterPoint.TRIM_BEFORE.label());
        outbox.trim(throughSequence);
        points.reach(WriterPoint.TRIM_DONE.label());
    }
}
