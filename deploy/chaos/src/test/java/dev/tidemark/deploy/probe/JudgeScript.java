package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import dev.tidemark.row.RowVersion;

/** Feeds a judge of two partitions with things that happened at given milliseconds. */
final class JudgeScript {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final Duration TOLERANCE = Duration.ofMillis(100);

    final StalenessJudge judge;

    /** With one worker. */
    JudgeScript() {
        this(1);
    }

    JudgeScript(int workers) {
        judge = new StalenessJudge(new CanaryLedger(2), workers, TOLERANCE, START);
    }

    static Instant at(long millis) {
        return START.plusMillis(millis);
    }

    static RowVersion version(long sequence) {
        return sequence == 0 ? RowVersion.NONE : new RowVersion(1, sequence);
    }

    JudgeScript write(int partition, long sequence, long invoked, long acknowledged) {
        judge.acknowledged(new CanaryLedger.Canary(partition, version(sequence), at(invoked), at(acknowledged)));
        return this;
    }

    JudgeScript claim(Source source, long asked, long answered, double seconds) {
        judge.claimed(new StalenessJudge.ReportedStaleness(
                source, Set.of(), at(asked), at(answered), OptionalDouble.of(seconds)));
        return this;
    }

    JudgeScript claimOf(int partition, long asked, long answered, double seconds) {
        judge.claimed(new StalenessJudge.ReportedStaleness(
                Source.WORKER_LAG, Set.of(partition), at(asked), at(answered), OptionalDouble.of(seconds)));
        return this;
    }

    /** An answer that shows those versions and says nothing about itself. */
    JudgeScript see(long asked, long answered, long... sequences) {
        return see(asked, answered, OptionalDouble.empty(), Optional.empty(), sequences);
    }

    JudgeScript see(
            long asked, long answered, OptionalDouble staleness, Optional<Instant> completeUpTo, long... sequences) {
        judge.saw(sighting(0, asked, answered, Set.of(), staleness, completeUpTo, sequences));
        return this;
    }

    /** A worker's answer without a partition. */
    JudgeScript seeWithout(int worker, int missing, long asked, long answered, long... sequences) {
        judge.saw(sighting(
                worker, asked, answered, Set.of(missing), OptionalDouble.empty(), Optional.empty(), sequences));
        return this;
    }

    /** The writer's clock is that many milliseconds ahead. */
    JudgeScript clock(long asked, long answered, long ahead) {
        judge.clockRead(at(asked), at(answered), at(asked + ahead));
        return this;
    }

    private static StalenessJudge.Observation sighting(
            int worker,
            long asked,
            long answered,
            Set<Integer> missing,
            OptionalDouble staleness,
            Optional<Instant> completeUpTo,
            long... sequences) {
        return new StalenessJudge.Observation(
                worker,
                at(asked),
                at(answered),
                Arrays.stream(sequences).mapToObj(JudgeScript::version).toList(),
                missing,
                staleness,
                completeUpTo);
    }

    ProbeReport.SourceReport of(Source source) {
        return report().source(source);
    }

    ProbeReport report() {
        return report(judge);
    }

    static ProbeReport report(StalenessJudge judge) {
        return judge.report("canary", "canary.by_id", START);
    }
}
