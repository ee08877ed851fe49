package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Rounds of all contestants in turn, at one rate after the other. */
public final class VisibilityBench {
    private final Map<Baseline, MeasuredSystem> peers;
    private final MeasuredSystem tidemark;
    private final Consumer<String> progress;

    /**
     * What is to be run.
     *
     * @param rates changes a second
     * @param rounds of each contestant at each rate
     * @param time of one round
     * @param warmUp of the round before them, which does not count
     */
    public record Plan(List<Integer> rates, int rounds, Duration time, Duration warmUp) {
        public Plan {
            rates = List.copyOf(rates);
            if (rates.isEmpty()
                    || rates.stream().anyMatch(rate -> rate < 1)
                    || rounds < 1
                    || time.isZero()
                    || time.isNegative()) {
                throw new IllegalArgumentException(
                        "Expected rates, rounds and a time, but got " + rates + ", " + rounds + " and " + time);
            }
        }
    }

    /** One who is measured, and the list where its rounds go. */
    private record Turn(MeasuredSystem contestant, List<Round> rounds) {}

    /** Compares these systems and passes each finished step to {@code progress}, as one line. */
    public VisibilityBench(Map<Baseline, MeasuredSystem> peers, MeasuredSystem tidemark, Consumer<String> progress) {
        this.peers = new EnumMap<>(peers);
        this.tidemark = tidemark;
        this.progress = progress;
    }

    /** Runs it all. */
    public List<Comparison> run(Plan plan) throws BenchException, InterruptedException {
        List<Comparison> comparisons = new ArrayList<>();
        for (int rate : plan.rates()) {
            Load warmUp = Load.of(rate, plan.warmUp());
            for (MeasuredSystem peer : peers.values()) {
                peer.run(warmUp);
            }
            tidemark.run(warmUp);
            comparisons.add(compare(Load.of(rate, plan.time()), plan.rounds()));
        }
        return comparisons;
    }

    private Comparison compare(Load load, int rounds) throws BenchException, InterruptedException {
        Map<Baseline, List<Round>> ofPeers = new EnumMap<>(Baseline.class);
        List<Round> ofTidemark = new ArrayList<>();
        List<Turn> turns = new ArrayList<>();
        peers.forEach((peer, contestant) ->
                turns.add(new Turn(contestant, ofPeers.computeIfAbsent(peer, each -> new ArrayList<>()))));
        turns.add(new Turn(tidemark, ofTidemark));
        for (int round = 0; round < rounds; round++) {
            for (Turn turn : turns) {
                turn.rounds().add(turn.contestant().run(load));
            }
            progress.accept(text(load, round, rounds, ofPeers, ofTidemark));
            // The other way round next, so that none always comes after the same other.
            Collections.reverse(turns);
        }
        return new Comparison(load, ofPeers, ofTidemark);
    }

    private static String text(
            Load load, int round, int rounds, Map<Baseline, List<Round>> ofPeers, List<Round> ofTidemark) {
        StringBuilder text = new StringBuilder(
                String.format(Locale.ROOT, "%,d changes/s, round %d of %d: ", load.perSecond(), round + 1, rounds));
        ofPeers.forEach((peer, done) -> text.append(peer.label())
                .append(' ')
                .append(text(done.get(round)))
                .append("; "));
        return text.append("Tidemark ").append(text(ofTidemark.get(round))).toString();
    }

    private static String text(Round round) {
        Round.Quantiles visible = round.get(Round.Measure.VISIBILITY);
        return String.format(Locale.ROOT, "p50 %.2f ms p99 %.2f ms", visible.p50() * 1e3, visible.p99() * 1e3);
    }
}
