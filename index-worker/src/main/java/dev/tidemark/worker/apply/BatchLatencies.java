package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.PublishTimings;
import dev.tidemark.runtime.DurationCounts;

/** The stage latencies of a batch, computed on first use, so that a listener that ignores them costs nothing. */
final class BatchLatencies implements StageLatencies {
    private final List<ChangeTiming> changes;
    private final Instant polled;
    private final Instant taken;
    private final Instant visible;
    private final Map<Stage, DurationCounts> stages = new EnumMap<>(Stage.class);
    private @Nullable DurationCounts totals;

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
        DurationCounts known = totals;
        if (known == null) {
            known = compute();
            totals = known;
        }
        return known;
    }

    @Override
    public DurationCounts in(Stage stage) {
        totals();
        return Objects.requireNonNull(stages.get(stage));
    }

    private DurationCounts compute() {
        DurationCounts all = new DurationCounts(changes.size());
        for (Stage stage : Stage.values()) {
            stages.put(stage, new DurationCounts(changes.size()));
        }
        for (ChangeTiming seen : changes) {
            PublishTimings timings = PublishTimings.parse(seen.handover());
            StageLatency latency = StageLatency.of(seen.committedAt(), timings, polled, taken, visible);
            all.add(latency.total(), seen.changes());
            stages.forEach((stage, counts) -> counts.add(latency.in(stage), seen.changes()));
        }
        return all;
    }
}
