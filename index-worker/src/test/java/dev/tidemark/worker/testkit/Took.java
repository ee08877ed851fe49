package dev.tidemark.worker.testkit;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.LongStream;

import dev.tidemark.runtime.Durations;
import dev.tidemark.worker.apply.Passages;
import dev.tidemark.worker.apply.Stage;

/** Passages of chosen lengths. */
public final class Took implements Passages {
    private final Durations totals = new Durations(1);
    private final Map<Stage, Durations> stages = new EnumMap<>(Stage.class);

    /** So many changes that took as many milliseconds in each stage, in the order of the way. */
    public Took and(int changes, long... millis) {
        totals.add(LongStream.of(millis).sum() * 1_000_000, changes);
        int at = 0;
        for (Stage stage : Stage.values()) {
            stages.computeIfAbsent(stage, none -> new Durations(1)).add(millis[at++] * 1_000_000, changes);
        }
        return this;
    }

    @Override
    public Durations totals() {
        return totals;
    }

    @Override
    public Durations in(Stage stage) {
        return stages.getOrDefault(stage, new Durations(1));
    }
}
