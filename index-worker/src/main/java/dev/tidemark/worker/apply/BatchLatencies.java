package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.PublishTimings;
import dev.tidemark.runtime.DurationCounts;

/** The stage latencies of a batch, computed on first use, so that a listener that ignores them costs nothing. */
final class BatchLatencies implements StageLatencies {
    private final List<ChangeTiming> changes;
    private final Instant polled;
    private final Instant taken;
    private final Instant visible;
    private @Nullable Columns columns;

    /** The times of all changes, and the same by stage. */
    private record Columns(
            DurationCounts totals,
            DurationCounts committer,
            DurationCounts outbox,
            DurationCounts kafka,
            DurationCounts queue,
            DurationCounts apply) {
        static Columns ofRoom(int room) {
            return new Columns(
                    new DurationCounts(room),
                    new DurationCounts(room),
                    new DurationCounts(room),
                    new DurationCounts(room),
                    new DurationCounts(room),
                    new DurationCounts(room));
        }

        DurationCounts in(Stage stage) {
            return switch (stage) {
                case COMMITTER -> committer;
                case OUTBOX -> outbox;
                case KAFKA -> kafka;
                case QUEUE -> queue;
                case APPLY -> apply;
            };
        }

        void add(StageLatency latency) {
            int changes = latency.changes();
            totals.add(latency.total(), changes);
            committer.add(latency.committer(), changes);
            outbox.add(latency.outbox(), changes);
            kafka.add(latency.kafka(), changes);
            queue.add(latency.queue(), changes);
            apply.add(latency.apply(), changes);
        }
    }

    /**
     * The passages of changes that became visible together.
     *
     * @param polled when the poll thread had them, by the writer's clock like all times here
     * @param taken when the apply thread began with them
     * @param visible when they could be found
     */
    BatchLatencies(List<ChangeTiming> changes, Instant polled, Instant taken, Instant visible) {
        this.changes = changes;
        this.polled = polled;
        this.taken = taken;
        this.visible = visible;
    }

    @Override
    public DurationCounts totals() {
        return columns().totals();
    }

    @Override
    public DurationCounts in(Stage stage) {
        return columns().in(stage);
    }

    private Columns columns() {
        Columns known = columns;
        if (known != null) {
            return known;
        }
        Columns made = Columns.ofRoom(changes.size());
        for (ChangeTiming seen : changes) {
            PublishTimings timings = PublishTimings.parse(seen.handover());
            made.add(StageLatency.of(seen.changes(), seen.committedAt(), timings, polled, taken, visible));
        }
        columns = made;
        return made;
    }
}
