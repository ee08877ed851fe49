package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.Handover;
import dev.tidemark.runtime.Durations;

/** The passages of a batch, worked out when first asked for: whoever does not watch does not pay. */
final class BatchPassages implements Passages {
    private final List<FirstSeen> changes;
    private final Instant polled;
    private final Instant taken;
    private final Instant visible;
    private @Nullable Columns columns;

    /** The times of all changes, and the same by stage. */
    private record Columns(
            Durations totals,
            Durations committer,
            Durations outbox,
            Durations kafka,
            Durations queue,
            Durations apply) {
        static Columns ofRoom(int room) {
            return new Columns(
                    new Durations(room),
                    new Durations(room),
                    new Durations(room),
                    new Durations(room),
                    new Durations(room),
                    new Durations(room));
        }

        Durations in(Stage stage) {
            return switch (stage) {
                case COMMITTER -> committer;
                case OUTBOX -> outbox;
                case KAFKA -> kafka;
                case QUEUE -> queue;
                case APPLY -> apply;
            };
        }

        void add(Passage passage) {
            int changes = passage.changes();
            totals.add(passage.total(), changes);
            committer.add(passage.committer(), changes);
            outbox.add(passage.outbox(), changes);
            kafka.add(passage.kafka(), changes);
            queue.add(passage.queue(), changes);
            apply.add(passage.apply(), changes);
        }
    }

    /**
     * The passages of changes that became visible together.
     *
     * @param polled when the poll thread had them, by the writer's clock like all times here
     * @param taken when the apply thread began with them
     * @param visible when they could be found
     */
    BatchPassages(List<FirstSeen> changes, Instant polled, Instant taken, Instant visible) {
        this.changes = changes;
        this.polled = polled;
        this.taken = taken;
        this.visible = visible;
    }

    @Override
    public Durations totals() {
        return columns().totals();
    }

    @Override
    public Durations in(Stage stage) {
        return columns().in(stage);
    }

    private Columns columns() {
        Columns known = columns;
        if (known != null) {
            return known;
        }
        Columns made = Columns.ofRoom(changes.size());
        for (FirstSeen seen : changes) {
            Handover handover = Handover.parse(seen.handover());
            made.add(Passage.of(seen.changes(), seen.committedAt(), handover, polled, taken, visible));
        }
        columns = made;
        return made;
    }
}
