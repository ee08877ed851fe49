package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the threads of a prober have seen so far. Every method takes the one lock, calls nothing that blocks, and may be
 * called by any thread.
 */
final class ProbeLog {
    private final Clock clock;
    private final Instant start;
    private final Duration tolerance;
    private final StalenessJudge judge;
    private final List<Outage> workers;
    private final Outage writer = new Outage();
    private long acknowledged;
    private long refused;
    private long uncertain;

    ProbeLog(int partitions, int workers, Duration tolerance, Clock clock) {
        this.clock = clock;
        this.start = clock.instant();
        this.tolerance = tolerance;
        this.judge = new StalenessJudge(new CanaryLedger(partitions), workers, tolerance, start);
        this.workers = Stream.generate(Outage::new).limit(workers).toList();
    }

    synchronized void acknowledged(Canary canary) {
        acknowledged++;
        writer.answered(canary.invoked(), canary.acknowledged());
        judge.acknowledged(canary);
    }

    synchronized void lost(Instant after, Instant until) {
        judge.lost(after, until);
    }

    synchronized void notAcknowledged(Instant invoked, NoAnswerException reason) {
        writer.unanswered(invoked);
        if (reason.refused()) {
            refused++;
        } else {
            uncertain++;
        }
    }

    synchronized void saw(Observation observation) {
        workers.get(observation.worker()).answered(observation.asked(), observation.answered());
        judge.saw(observation);
    }

    synchronized void queryUnanswered(int worker, Instant asked) {
        workers.get(worker).unanswered(asked);
        judge.queryUnanswered(worker, asked);
    }

    synchronized void clockRead(Instant asked, Instant answered, Instant said) {
        judge.clockRead(asked, answered, said);
    }

    synchronized void claimed(List<ReportedStaleness> claims) {
        claims.forEach(judge::claimed);
    }

    synchronized void unanswered(List<Source> sources) {
        sources.forEach(judge::unanswered);
    }

    /** No thread will note anything more. */
    synchronized void finish() {
        judge.finish(clock.instant());
    }

    synchronized ProbeReport report(String table, String index) {
        Instant now = clock.instant();
        return new ProbeReport(
                table,
                index,
                Duration.between(start, now),
                tolerance,
                new ProbeReport.Writes(acknowledged, refused, uncertain),
                judge.answers(),
                judge.wentBack(),
                judge.visibility(),
                judge.worstTruth(),
                judge.staleness(now),
                new ProbeReport.Away(
                        workers.stream().mapToLong(Outage::times).sum(),
                        workers.stream().map(worker -> worker.total(now)).reduce(Duration.ZERO, Duration::plus)),
                new ProbeReport.Away(writer.times(), writer.total(now)),
                judge.sources(),
                judge.lies());
    }
}
