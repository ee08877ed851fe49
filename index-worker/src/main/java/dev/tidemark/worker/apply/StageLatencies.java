package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.tidemark.change.PublishTimings;
import dev.tidemark.runtime.DurationCounts;

/**
 * How long the changes of one batch took from the commit to their visibility, and in which stage. Only for the applying
 * thread, during the call of the listener.
 *
 * @param totals from the commit of each change until it could be found
 * @param stages the time of each change in each stage; over all stages they add up to its total
 */
public record StageLatencies(DurationCounts totals, Map<Stage, DurationCounts> stages) {
    /**
     * Name of the way before the first stage, of a table whose rows come from a source. It is measured at heartbeats,
     * by how much older the watermark of the source is, and is no part of the time from the commit of a change here.
     */
    public static final String SOURCE = "source";

    /**
     * The passages of changes that became visible together.
     *
     * @param polled when the poll thread had them, by the writer's clock like all times here
     * @param taken when the apply thread began with them
     * @param visible when they could be found
     */
    static StageLatencies of(List<ChangeTiming> changes, Instant polled, Instant taken, Instant visible) {
        DurationCounts totals = new DurationCounts(changes.size());
        Map<Stage, DurationCounts> stages = new EnumMap<>(Stage.class);
        for (Stage stage : Stage.values()) {
            stages.put(stage, new DurationCounts(changes.size()));
        }
        for (ChangeTiming seen : changes) {
            PublishTimings timings = PublishTimings.parse(seen.handover());
            StageLatency latency = StageLatency.of(seen.committedAt(), timings, polled, taken, visible);
            totals.add(latency.total(), seen.changes());
            stages.forEach((stage, counts) -> counts.add(latency.in(stage), seen.changes()));
        }
        return new StageLatencies(totals, stages);
    }

    /** The time of each change in one stage. */
    public DurationCounts in(Stage stage) {
        return Objects.requireNonNull(stages.get(stage));
    }
}
