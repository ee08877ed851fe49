package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Handover;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;

/**
 * Publishes again what topics lack: first the whole fact table, unless the outbox still holds everything since the first
 * change; then what the outbox holds of changes that were published before. For the relay alone, step by step.
 */
final class Republisher {
    private static final int PAGE_ROWS = 1_000;
    private static final long PAGE_BYTES = 4L << 20;

    private final FactStore store;
    private final Outbox outbox;
    private final EventPublisher publisher;
    private final TopicKeeper keeper;
    private final Clock clock;
    private final Deque<TopicSpec> lacking = new ArrayDeque<>();
    private boolean rowsDone;
    private @Nullable KeyBytes lastKey;
    private long position;

    Republisher(FactStore store, Outbox outbox, EventPublisher publisher, TopicKeeper keeper, Clock clock) {
        this.store = store;
        this.outbox = outbox;
        this.publisher = publisher;
        this.keeper = keeper;
        this.clock = clock;
    }

    void begin(Collection<TopicSpec> topics) {
        lacking.clear();
        lacking.addAll(topics);
        nextTable();
    }

    /** The topic it works on; null when it is done. */
    @Nullable
    TopicSpec current() {
        return lacking.peekFirst();
    }

    /**
     * Publishes the next piece.
     *
     * @return whether the topic it works on lacks nothing any more
     */
    boolean step(TopicSpec spec) throws PublishException, InterruptedException {
        if (!rowsDone) {
            publishRows(spec);
            return false;
        }
        if (!publishChanges(spec.table())) {
            return false;
        }
        lacking.removeFirst();
        nextTable();
        return true;
    }

    private void nextTable() {
        rowsDone = outbox.lowWaterMark() == 0;
        lastKey = null;
        position = outbox.lowWaterMark();
    }

    private void publishRows(TopicSpec spec) throws PublishException, InterruptedException {
        List<KeyedRow> page =
                store.scan(spec.table(), lastKey, PAGE_ROWS, PAGE_BYTES).rows();
        if (page.isEmpty()) {
            rowsDone = true;
            return;
        }
        publish(page.stream().map(row -> publication(spec, row)).toList());
        lastKey = page.get(page.size() - 1).key();
    }

    private boolean publishChanges(String table) throws PublishException, InterruptedException {
        long through = outbox.publishedThrough();
        List<CommittedChange> page = outbox.readAfter(position, PAGE_ROWS, PAGE_BYTES);
        Instant now = clock.instant();
        publish(page.stream()
                .filter(change -> change.table().equals(table) && change.sequence() <= through)
                .map(change -> again(change, now))
                .toList());
        position = page.isEmpty() ? through : page.get(page.size() - 1).sequence();
        return position >= through;
    }

    /** All the time since its commit it was waiting to be published, this time. */
    private static Publication again(CommittedChange change, Instant now) {
        Instant committed = change.event().committedAt();
        return Publication.of(change, Handover.of(committed, committed, now));
    }

    private static Publication publication(TopicSpec spec, KeyedRow row) {
        ChangeEvent event = new ChangeEvent.Upserted(
                row.key(),
                row.stored().version(),
                row.stored().committedAt(),
                UpsertKind.READ,
                row.stored().row());
        return new Publication(spec.table(), spec.partitionOf(row.key()), event);
    }

    private void publish(List<Publication> messages) throws PublishException, InterruptedException {
        if (!messages.isEmpty()) {
            // Or what was published again could be lost again, and nobody would miss it.
            keeper.acknowledged(publisher.publish(messages));
        }
    }
}
