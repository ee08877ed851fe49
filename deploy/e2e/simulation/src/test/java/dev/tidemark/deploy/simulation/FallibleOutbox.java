package dev.tidemark.deploy.simulation;

import java.util.List;

import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.outbox.Outbox;

/** An outbox that fails now and then, but for how far it is, which is in memory. */
record FallibleOutbox(Outbox outbox, PortFaults faults) implements Outbox {
    @Override
    public List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes) {
        return faults.read(() -> outbox.readAfter(sequence, maxEntries, maxBytes));
    }

    @Override
    public long publishedThrough() {
        return outbox.publishedThrough();
    }

    @Override
    public void markPublished(long sequence) {
        faults.write(() -> outbox.markPublished(sequence));
    }

    @Override
    public void makeMarksDurable() {
        faults.write(outbox::makeMarksDurable);
    }

    @Override
    public long lowWaterMark() {
        return outbox.lowWaterMark();
    }

    @Override
    public void trim(long throughSequence) {
        faults.write(() -> outbox.trim(throughSequence));
    }
}
