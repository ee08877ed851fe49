package dev.tidemark.deploy.bench;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * All that a run of the visibility benchmark found.
 *
 * @param applyCost null when it was not asked for
 * @param loadAfter as in {@link Machine#load()}, when it was over: the benchmark's own work is in it
 */
public record VisibilityReport(
        Machine machine,
        VisibilityBench.Plan plan,
        List<Comparison> comparisons,
        @Nullable ApplyCost applyCost,
        double loadAfter) {
    public VisibilityReport {
        comparisons = List.copyOf(comparisons);
    }
}
