package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import dev.tidemark.row.RowVersion;

/**
 * Holds what the services say against what is certain. All times come from one clock, that of the prober, and are given
 * by the caller.
 *
 * <p>The real staleness at a moment is its distance to the commit of the oldest committed change that is not visible. It
 * is known within bounds only, and always the bound is taken that makes it smaller, so that an accusation is always
 * right:
 *
 * <ul>
 *   <li>a change counts from its acknowledgement, though it was committed before;
 *   <li>a claim made between question and answer is held against the moment of the question;
 *   <li>a change counts as missing at the moment of a claim only if no answer showed it before, and the first query sent
 *       after the claim does not show it either;
 *   <li>a claim counts as too small only when the tolerance (one sampling period) does not explain it.
 * </ul>
 *
 * <p>What an answer says about itself is held against what that answer contains, so an older copy that serves again is
 * judged by what it shows.
 */
public final class StalenessJudge {
    /** Shorter silence of the worker proves nothing about what is visible. */
    static final Duration LONG_SILENCE = Duration.ofSeconds(5);

    static final int MAX_PENDING = 200_000;
    private static final int MAX_LIES_OF_A_SOURCE = 10;
    // The writer's clock may run ahead by what two machines of one time server differ.
    private static final Duration CLOCK_SLACK = Duration.ofMillis(50);

    private final CanaryLedger ledger;
    private final Duration tolerance;
    private final Instant start;
    private final Map<Source, SourceTally> tallies = new EnumMap<>(Source.class);
    private final Deque<Claim> pending = new ArrayDeque<>();
    private final Distribution latencies = new Distribution();
    private final List<Lie> lies = new ArrayList<>();
    private double worstTruth;
    private long answers;
    private long wentBack;
    private boolean writerClockAhead;

    /**
     * A judge without evidence.
     *
     * @param tolerance one sampling period: how much too small a claim may be
     * @param start the moment that times in the report count from
     */
    public StalenessJudge(CanaryLedger ledger, Duration tolerance, Instant start) {
        this.ledger = ledger;
        this.tolerance = tolerance;
        this.start = start;
        for (Source source : Source.values()) {
            tallies.put(source, new SourceTally(source));
        }
    }

    /** A write was acknowledged. */
    public void acknowledged(Canary canary) {
        ledger.acknowledged(canary).ifPresent(visible -> latencies.add(seconds(visible.latency())));
    }

    /** A service said something; judged as soon as a later query tells what was visible. */
    public void claimed(Claim claim) {
        if (claim.seconds().isEmpty()) {
            tally(claim.source()).unknown();
            return;
        }
        if (claim.partition().orElse(0) >= ledger.partitions()) {
            tally(claim.source()).notJudged();
            return;
        }
        if (pending.size() >= MAX_PENDING) {
            tally(pending.removeFirst().source()).notJudged();
        }
        pending.addLast(claim);
    }

    /** A service did not say anything. */
    public void unanswered(Source source) {
        tally(source).unanswered();
    }

    /** A query was answered. Answers come in the order in which the queries were sent. */
    public void saw(Sighting sighting) {
        answers++;
        judgeAnswer(sighting);
        countStepsBack(sighting.visible());
        ledger.saw(sighting.visible(), sighting.answered())
                .forEach(visible -> latencies.add(seconds(visible.latency())));
        List<RowVersion> seen = ledger.seen();
        List<Claim> later = new ArrayList<>();
        while (!pending.isEmpty()) {
            Claim claim = pending.removeFirst();
            if (claim.answered().isAfter(sighting.asked())) {
                later.add(claim);
            } else {
                judge(claim, seen);
            }
        }
        pending.addAll(later);
    }

    /**
     * No more evidence will come. Claims not yet judged are judged only when the worker has been silent for long and
     * until the end: then nothing became visible to anybody.
     *
     * @param silentSince when the first query was sent that was not answered, and none after it; empty when the worker
     *     answers
     */
    public void finish(Optional<Instant> silentSince, Instant now) {
        Optional<Instant> silence =
                silentSince.filter(since -> !since.plus(LONG_SILENCE).isAfter(now));
        List<RowVersion> seen = ledger.seen();
        while (!pending.isEmpty()) {
            Claim claim = pending.removeFirst();
            if (silence.isPresent() && !claim.asked().isBefore(silence.get())) {
                judge(claim, seen);
            } else {
                tally(claim.source()).notJudged();
            }
        }
    }

    /** How honest each source was so far. */
    public List<SourceReport> sources() {
        return tallies.values().stream().map(SourceTally::report).toList();
    }

    /** The first claims of each source that were too small. */
    public List<Lie> lies() {
        return List.copyOf(lies);
    }

    /** From acknowledgement to the first answer that shows the change: an upper bound of the time to visibility. */
    public Spread visibility() {
        return latencies.spread();
    }

    /** Largest staleness that is certain, in seconds: how bad it really was. */
    public double worstTruth() {
        return worstTruth;
    }

    /** Queries that were answered. */
    public long answers() {
        return answers;
    }

    /** Answers with an older version of a row than an answer before them. */
    public long wentBack() {
        return wentBack;
    }

    private void judgeAnswer(Sighting sighting) {
        if (sighting.staleness().isEmpty()) {
            tally(Source.ANSWER).unknown();
        } else {
            judge(
                    Source.ANSWER,
                    sighting.staleness().getAsDouble(),
                    sighting.asked(),
                    ledger.oldestMissing(sighting.visible(), sighting.asked()));
        }
        if (sighting.completeUpTo().isEmpty()) {
            tally(Source.COMPLETE_UP_TO).unknown();
            return;
        }
        Instant completeUpTo = sighting.completeUpTo().get();
        // Once ahead, a clock can be ahead by any amount, and then no comparison with it is certain.
        writerClockAhead |= completeUpTo.isAfter(sighting.answered().plus(CLOCK_SLACK));
        if (writerClockAhead) {
            tally(Source.COMPLETE_UP_TO).notJudged();
        } else {
            judge(
                    Source.COMPLETE_UP_TO,
                    seconds(Duration.between(completeUpTo, sighting.answered())),
                    sighting.answered(),
                    ledger.oldestMissing(sighting.visible(), sighting.answered()));
        }
    }

    private void judge(Claim claim, List<RowVersion> visible) {
        OptionalDouble said = claim.seconds();
        Optional<Canary> missing = claim.partition().isPresent()
                ? ledger.oldestMissing(
                        claim.partition().getAsInt(),
                        visible.get(claim.partition().getAsInt()),
                        claim.asked())
                : ledger.oldestMissing(visible, claim.asked());
        judge(claim.source(), said.orElseThrow(), claim.asked(), missing);
    }

    private void judge(Source source, double said, Instant at, Optional<Canary> missing) {
        double truth = missing.map(canary -> seconds(Duration.between(canary.acknowledged(), at)))
                .orElse(0.0);
        boolean tooSmall = said < truth - seconds(tolerance);
        tally(source).judged(said - truth, tooSmall);
        worstTruth = Math.max(worstTruth, truth);
        if (tooSmall && tally(source).underReported() <= MAX_LIES_OF_A_SOURCE) {
            missing.ifPresent(canary -> lies.add(new Lie(source, Duration.between(start, at), said, truth, canary)));
        }
    }

    private void countStepsBack(List<RowVersion> visible) {
        List<RowVersion> seen = ledger.seen();
        for (int partition = 0; partition < visible.size(); partition++) {
            if (seen.get(partition).isAfter(visible.get(partition))) {
                wentBack++;
                return;
            }
        }
    }

    private SourceTally tally(Source source) {
        return tallies.computeIfAbsent(source, SourceTally::new);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
