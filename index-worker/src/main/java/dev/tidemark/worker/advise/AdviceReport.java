package dev.tidemark.worker.advise;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * All advice at one moment.
 *
 * @param at when the report was requested
 * @param watched how long the counters have run
 * @param indexes the facts, in the order of the catalog
 * @param advice in the same order
 * @param notes what could not be determined and why, as text for operators
 */
public record AdviceReport(
        Instant at, Duration watched, List<IndexFacts> indexes, List<Advice> advice, List<String> notes) {
    public AdviceReport {
        indexes = List.copyOf(indexes);
        advice = List.copyOf(advice);
        notes = List.copyOf(notes);
    }
}
