package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Rounds of both contestants in turn, at one rate after the other. */
public final class VisibilityBench {
    private final Contestant bare;
    private final Contestant tidemark;
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

    /** A benchmark of these two; {@code progress} is told what is done, a line at a time. */
    public VisibilityBench(Contestant bare, Contestant tidemark, Consumer<String> progress) {
        this.bare = bare;
        this.tidemark = tidemark;
        this.progress = progress;
    }

    /** Runs it all. */
    public List<Comparison> run(Plan plan) throws BenchException, InterruptedException {
        List<Comparison> comparisons = new ArrayList<>();
        for (int rate : plan.rates()) {
            Load warmUp = Load.of(rate, plan.warmUp());
            bare.run(warmUp);
            tidemark.run(warmUp);
            comparisons.add(compare(Load.of(rate, plan.time()), plan.rounds()));
        }
        return comparisons;
    }

    private Comparison compare(Load load, int rounds) throws BenchException, InterruptedException {
        List<Round> ofBare = new ArrayList<>();
        List<Round> ofTidemark = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            // In turn, so that neither always comes after the other.
            if (round % 2 == 0) {
                ofBare.add(bare.run(load));
                ofTidemark.add(tidemark.run(load));
            } else {
                ofTidemark.add(tidemark.run(load));
                ofBare.add(bare.run(load));
            }
            progress.accept(String.format(
                    Locale.ROOT,
                    "%,d changes/s, round %d of %d: bare loop %s, Tidemark %s",
                    load.perSecond(),
                    round + 1,
                    rounds,
                    text(ofBare.get(round)),
                    text(ofTidemark.get(round))));
        }
        return new Comparison(load, ofBare, ofTidemark);
    }

    private static String text(Round round) {
        Round.Quantiles visible = round.get(Round.Measure.VISIBILITY);
        return String.format(Locale.ROOT, "p50 %.2f ms p99 %.2f ms", visible.p50() * 1e3, visible.p99() * 1e3);
    }
}
