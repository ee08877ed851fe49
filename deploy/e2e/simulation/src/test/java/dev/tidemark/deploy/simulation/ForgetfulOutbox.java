package dev.tidemark.deploy.simulation;

import java.util.List;

import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.outbox.Outbox;

/** Breaks {@link Rule#TRIM_ONLY_WHAT_IS_PUBLISHED}: what was read to be sent is gone. */
final class ForgetfulOutbox implements Outbox {
    private final Outbox outbox;
    private long sent;

    ForgetfulOutbox(Outbox outbox) {
        this.outbox = outbox;
    }

    @Override
    public List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes) {
        List<CommittedChange> left = outbox.readAfter(Math.max(sequence, sent), maxEntries, maxBytes);
        if (!left.isEmpty()) {
            sent = left.get(left.size() - 1).sequence();
        }
        return left;
    }

    @Override
    public long publishedThrough() {
        return outbox.publishedThrough();
    }

    @Override
    public void markPublished(long sequence) {
        outbox.markPublished(sequence);
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
        outbox.trim(throughSequence);
    }
}
