package dev.tidemark.deploy.probe;

import java.time.Duration;

/**
 * How honest one source was.
 *
 * @param source which
 * @param allowance by how much a claim of it may be too small: one sampling period of that source
 * @param claims how many it made, "unknown" included
 * @param judged those held against the truth
 * @param underReported those that were smaller than the truth by more than the allowance; must be 0
 * @param unknown claims that said "unknown", which is honest
 * @param notJudged claims about a moment at which the true staleness is unknown
 * @param unanswered questions without an answer, which is honest too
 * @param difference reported minus true, over those judged
 */
public record SourceReport(
        Source source,
        Duration allowance,
        long claims,
        long judged,
        long underReported,
        long unknown,
        long notJudged,
        long unanswered,
        DistributionSummary difference) {}
