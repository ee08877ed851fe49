package dev.tidemark.worker.testkit;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.LongStream;

import dev.tidemark.runtime.DurationCounts;
import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.apply.StageLatencies;

/** Passages of chosen lengths. */
public final class TestLatencies {
    private final DurationCounts totals = new DurationCounts(1);
    private final Map<Stage, DurationCounts> stages = new EnumMap<>(Stage.class);

    /** So many changes that took as many milliseconds in each stage, in the order of the way. */
    public TestLatencies and(int changes, long... millis) {
        totals.add(LongStream.of(millis).sum() * 1_000_000, changes);
        int at = 0;
        for (Stage stage : Stage.values()) {
            stages.computeIfAbsent(stage, none -> new DurationCounts(1)).add(millis[at++] * 1_000_000, changes);
        }
        return this;
    }

    public StageLatencies all() {
        return new StageLatencies(totals, stages);
    }
}
