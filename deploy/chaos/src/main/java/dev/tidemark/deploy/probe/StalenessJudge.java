package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowVersion;

/**
 * Holds what the services say against what is certain. All times come from one clock, that of the prober, and are given
 * by the caller; the writer's clock is only compared with where it was read.
 *
 * <p>The real staleness at a moment is its distance to the commit of the oldest committed change that is not visible.
 * It is known within bounds only, and always the bound is taken that makes it smaller, so that an accusation is always
 * right:
 *
 * <ul>
 *   <li>a change counts from its acknowledgement, though it was committed before;
 *   <li>a claim made between question and answer is held against the moment of the question;
 *   <li>a change counts as missing at the moment of a claim only if no answer of any worker showed it before, and the
 *       first queries sent after the claim do not show it either, nor an older copy of the index;
 *   <li>a claim counts as too small only when the allowance of its source (one sampling period) does not explain it.
 * </ul>
 *
 * <p>What an answer says about itself is held against what that answer contains, so an older copy that serves again is
 * judged by what it shows.
 *
 * <p>Every method takes the one lock, calls nothing that blocks, and may be called by any thread.
 */
public final class StalenessJudge {
    /** Shorter silence about a partition proves nothing about what is visible. */
    static final Duration LONG_SILENCE = Duration.ofSeconds(5);

    static final int MAX_PENDING = 50_000;

    private final CanaryLedger ledger;
    private final Duration tolerance;
    private final Instant start;
    private final List<Coverage.Outage> workers;
    private final Coverage.Outage writer = new Coverage.Outage();
    private final Verdicts verdicts;
    private final Verdicts.WatermarkJudge watermarks;
    private final Coverage coverage;
    private final Set<Integer> all;
    private final Deque<ReportedStaleness> pending = new ArrayDeque<>();
    private final Set<Integer> back = new HashSet<>();
    private final @Nullable Instant[] answering;
    private final Distribution latencies = new Distribution();
    private long answers;
    private long wentBack;
    private long acknowledged;
    private long refused;
    private long uncertain;
    private boolean moved;

    /**
     * A judge without evidence.
     *
     * @param workers how many workers are asked
     * @param tolerance one sampling period: how much too small a claim may be
     * @param start the moment that times in the report count from
     */
    public StalenessJudge(CanaryLedger ledger, int workers, Duration tolerance, Instant start) {
        this.ledger = ledger;
        this.tolerance = tolerance;
        this.start = start;
        this.workers = Stream.generate(Coverage.Outage::new).limit(workers).toList();
        this.verdicts = new Verdicts(tolerance, start);
        this.watermarks = new Verdicts.WatermarkJudge(verdicts);
        this.coverage = new Coverage(ledger.partitions(), workers);
        this.answering = new @Nullable Instant[workers];
        this.all = IntStream.range(0, ledger.partitions()).boxed().collect(Collectors.toUnmodifiableSet());
    }

    /** A write was acknowledged. */
    public synchronized void acknowledged(CanaryLedger.Canary canary) {
        acknowledged++;
        writer.answered(canary.invoked(), canary.acknowledged());
        ledger.acknowledged(canary).ifPresent(latency -> latencies.add(Verdicts.seconds(latency)));
    }

    /**
     * A write was not acknowledged.
     *
     * @param surely whether the writer surely did not commit it
     */
    public synchronized void notAcknowledged(Instant invoked, boolean surely) {
        writer.unanswered(invoked);
        refused += surely ? 1 : 0;
        uncertain += surely ? 0 : 1;
    }

    /** Records that writes acknowledged after a time and up to another are known to be lost. */
    public synchronized void lost(Instant after, Instant until) {
        ledger.lost(after, until);
    }

    /** Takes the value that a service reported; it is judged as soon as later queries show what was visible. */
    public synchronized void claimed(ReportedStaleness claim) {
        if (claim.seconds().isEmpty()) {
            verdicts.unknown(claim.source());
            return;
        }
        if (!all.containsAll(claim.partitions())
                || (moved && !claim.partitions().isEmpty())) {
            verdicts.notJudged(claim.source());
            return;
        }
        if (pending.size() >= MAX_PENDING) {
            verdicts.notJudged(pending.removeFirst().source());
        }
        pending.addLast(claim);
    }

    /**
     * Whether the latest answer came from other partitions than those that are reported, as while an index moves. What
     * is reported of some partitions is not judged meanwhile.
     */
    public synchronized void moved(boolean now) {
        moved = now;
        dismiss(claim -> now && !claim.partitions().isEmpty());
    }

    /** A service did not say anything. */
    public synchronized void unanswered(Source source) {
        verdicts.unanswered(source);
    }

    /** The writer said what its commit clock shows. */
    public synchronized void clockRead(Instant asked, Instant answered, Instant said) {
        watermarks.clockRead(asked, answered, said);
    }

    /** A query was answered. Answers of one worker come in the order in which the queries were sent. */
    public synchronized void saw(Observation observation) {
        answers++;
        workers.get(observation.worker()).answered(observation.asked(), observation.answered());
        answering[observation.worker()] = observation.asked();
        judgeAnswer(observation);
        noteStepsBack(observation);
        noteLongSilence(observation);
        ledger.saw(observation.visible(), observation.answered())
                .forEach(latency -> latencies.add(Verdicts.seconds(latency)));
        coverage.heard(observation.worker(), observation.asked(), observation.shown());
        judgePending();
    }

    /** A worker did not answer a query. */
    public synchronized void queryUnanswered(int worker, Instant asked) {
        workers.get(worker).unanswered(asked);
        verdicts.unanswered(Source.ANSWER);
        verdicts.unanswered(Source.COMPLETE_UP_TO);
        fellSilent(worker);
        coverage.heard(worker, asked, Set.of());
        judgePending();
    }

    /**
     * One of several workers does not answer any more. What it held since its last answer is unknown, and another
     * worker that answers for its partitions later may hold less. Claims of that time are therefore not judged.
     */
    private void fellSilent(int worker) {
        Instant last = answering[worker];
        answering[worker] = null;
        if (last != null && answering.length > 1) {
            dismiss(claim -> claim.answered().isAfter(last));
        }
    }

    /**
     * Ends the judging: no more evidence will come. A pending claim is judged only if its partitions are covered, or
     * have had no answer for long and until the end: then nothing became visible to any client.
     */
    public synchronized void finish(Instant now) {
        List<RowVersion> seen = ledger.seen();
        for (ReportedStaleness claim : pending) {
            boolean known = partitions(claim).stream()
                    .allMatch(partition -> isLongSilent(partition, claim, now)
                            || coverage.reaches(claim.answered(), Set.of(partition)));
            if (known) {
                judge(claim, seen);
            } else {
                verdicts.notJudged(claim.source());
            }
        }
        pending.clear();
        watermarks.finish();
    }

    /**
     * What was found so far.
     *
     * @param index written {@code table.index}
     */
    public synchronized ProbeReport report(String table, String index, Instant now) {
        List<ProbeReport.Away> away =
                workers.stream().map(worker -> worker.total(now)).toList();
        Duration staleness = ledger.oldestMissing(all, ledger.seen(), now)
                .map(canary -> Duration.between(canary.acknowledged(), now))
                .orElse(Duration.ZERO);
        return new ProbeReport(
                table,
                index,
                Duration.between(start, now),
                tolerance,
                new ProbeReport.Writes(acknowledged, refused, uncertain),
                answers,
                wentBack,
                latencies.spread(),
                verdicts.worstTruth(),
                staleness,
                new ProbeReport.Away(
                        away.stream().mapToLong(ProbeReport.Away::times).sum(),
                        away.stream().map(ProbeReport.Away::total).reduce(Duration.ZERO, Duration::plus)),
                writer.total(now),
                verdicts.sources(),
                verdicts.lies());
    }

    private void judgeAnswer(Observation observation) {
        List<Integer> shown = observation.shown();
        List<RowVersion> visible = observation.visible();
        Instant asked = observation.asked();
        Instant answered = observation.answered();
        observation
                .staleness()
                .ifPresentOrElse(
                        seconds -> verdicts.judge(
                                Source.ANSWER, seconds, asked, ledger.oldestMissing(shown, visible, asked)),
                        () -> verdicts.unknown(Source.ANSWER));
        observation
                .completeUpTo()
                .ifPresentOrElse(
                        time -> watermarks.answered(answered, time, ledger.oldestMissing(shown, visible, answered)),
                        () -> verdicts.unknown(Source.COMPLETE_UP_TO));
    }

    private void judgePending() {
        List<RowVersion> seen = ledger.seen();
        pending.removeIf(claim -> {
            boolean known = coverage.reaches(claim.answered(), partitions(claim));
            if (known) {
                judge(claim, seen);
            }
            return known;
        });
    }

    private void judge(ReportedStaleness claim, List<RowVersion> visible) {
        verdicts.judge(
                claim.source(),
                claim.seconds().orElseThrow(),
                claim.asked(),
                ledger.oldestMissing(partitions(claim), visible, claim.asked()));
    }

    private Set<Integer> partitions(ReportedStaleness claim) {
        return claim.partitions().isEmpty() ? all : claim.partitions();
    }

    private boolean isLongSilent(int partition, ReportedStaleness claim, Instant now) {
        return coverage.silentSince(partition)
                .filter(since ->
                        !since.plus(LONG_SILENCE).isAfter(now) && !claim.asked().isBefore(since))
                .isPresent();
    }

    /**
     * One of several workers shows a partition after a long silence. A worker that showed nothing may have held more of
     * it meanwhile, and have gone. Claims of that time are therefore not judged.
     */
    private void noteLongSilence(Observation observation) {
        if (answering.length > 1) {
            observation
                    .shown()
                    .forEach(partition -> coverage.silentSince(partition)
                            .filter(since -> !since.plus(LONG_SILENCE).isAfter(observation.asked()))
                            .ifPresent(
                                    since -> dismiss(claim -> !claim.answered().isBefore(since)
                                            && partitions(claim).contains(partition))));
        }
    }

    /**
     * A replica older than what was shown before answers for a partition now. The last contents of the replica before
     * it are unknown, so claims of that time are not judged.
     */
    private void noteStepsBack(Observation observation) {
        List<RowVersion> seen = ledger.seen();
        Set<Integer> older = observation.shown().stream()
                .filter(partition ->
                        seen.get(partition).isAfter(observation.visible().get(partition)))
                .collect(Collectors.toSet());
        wentBack += older.isEmpty() ? 0 : 1;
        Set<Integer> begun = new HashSet<>(older);
        begun.removeAll(back);
        dismiss(claim -> !Collections.disjoint(partitions(claim), begun));
        back.removeAll(observation.shown());
        back.addAll(older);
    }

    /** Does not judge pending claims about which too little is known. */
    private void dismiss(Predicate<ReportedStaleness> isDoubtful) {
        pending.removeIf(claim -> {
            boolean doubtful = isDoubtful.test(claim);
            if (doubtful) {
                verdicts.notJudged(claim.source());
            }
            return doubtful;
        });
    }

    /**
     * What the answer of one worker to one query showed. It was true at some moment between question and answer.
     *
     * @param worker which worker, counted from 0
     * @param asked when the question was sent
     * @param answered when the answer was there
     * @param visible by partition: the version of the prober's row in the answer; {@link RowVersion#NONE} when it is
     *     absent
     * @param missing the partitions that the answer reports as missing; it shows nothing of them
     * @param staleness seconds, as the answer says; empty for unknown
     * @param completeUpTo as the answer says, by the writer's clock; empty for unknown
     */
    public record Observation(
            int worker,
            Instant asked,
            Instant answered,
            List<RowVersion> visible,
            Set<Integer> missing,
            OptionalDouble staleness,
            Optional<Instant> completeUpTo) {
        /** Returns the partitions that the answer covers. */
        List<Integer> shown() {
            return IntStream.range(0, visible.size())
                    .boxed()
                    .filter(partition -> !missing.contains(partition))
                    .toList();
        }
    }

    /**
     * What a service said about staleness, at some moment between question and answer.
     *
     * @param source who said it
     * @param partitions of what; empty when it is about the whole index
     * @param asked when the question was sent
     * @param answered when the answer was there
     * @param seconds what was said; empty for "unknown", which is honest: a missing number, NaN, null
     */
    public record ReportedStaleness(
            Source source, Set<Integer> partitions, Instant asked, Instant answered, OptionalDouble seconds) {}
}
