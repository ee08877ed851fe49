package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;

/**
 * An outbox whose newest changes are on the heap as well, so that a relay that keeps up does not read them back from
 * the store. Everything that is read from the heap is stored already. For the committer's thread and the relay's.
 */
public final class RecentChanges implements Outbox, Committer.Listener {
    private final Outbox outbox;
    private final long heapBytes;
    private final ArrayDeque<CommittedChange> recent = new ArrayDeque<>();
    private long bytes;

    /**
     * The outbox with changes on the heap.
     *
     * @param heapBytes most bytes of the changes on the heap; the oldest leave it first
     */
    public RecentChanges(Outbox outbox, long heapBytes) {
        this.outbox = outbox;
        this.heapBytes = heapBytes;
    }

    @Override
    public synchronized void committed(FactBatch batch, Duration took) {
        for (CommittedChange change : batch.changes()) {
            if (!recent.isEmpty() && recent.getLast().sequence() + 1 != change.sequence()) {
                dropThrough(Long.MAX_VALUE);
            }
            recent.add(change);
            bytes += change.bytes();
        }
        while (bytes > heapBytes) {
            dropOldest();
        }
    }

    @Override
    public List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes) {
        List<CommittedChange> found = recentAfter(sequence, maxEntries, maxBytes);
        return found.isEmpty() ? outbox.readAfter(sequence, maxEntries, maxBytes) : found;
    }

    /** Empty where the next change is not on the heap. Changes up to the sequence leave it: the relay has read them. */
    private synchronized List<CommittedChange> recentAfter(long sequence, int maxEntries, long maxBytes) {
        dropThrough(sequence);
        List<CommittedChange> found = new ArrayList<>();
        if (!recent.isEmpty() && recent.getFirst().sequence() == sequence + 1) {
            Iterator<CommittedChange> left = recent.iterator();
            for (long size = 0; left.hasNext() && found.size() < maxEntries && size < maxBytes; ) {
                CommittedChange next = left.next();
                found.add(next);
                size += next.bytes();
            }
        }
        return found;
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
        dropThrough(throughSequence);
    }

    private synchronized void dropThrough(long sequence) {
        while (!recent.isEmpty() && recent.getFirst().sequence() <= sequence) {
            dropOldest();
        }
    }

    private void dropOldest() {
        bytes -= recent.removeFirst().bytes();
    }
}
