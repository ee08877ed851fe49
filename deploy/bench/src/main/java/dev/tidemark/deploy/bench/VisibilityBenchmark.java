package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.tidemark.deploy.bench.VisibilityFigures.Measure;

/** Visibility beside bare producer-to-consumer loops, at one rate after the other. */
public final class VisibilityBenchmark {
    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(40);
    /**
     * The size of a run.
     *
     * @param rates changes a second
     * @param rounds of each system at each rate
     * @param time of one round
     * @param warmUp of the round before them, which does not count
     * @param costRounds rounds of measuring what timing every change costs; 0 for none
     */
    record Plan(List<Integer> rates, int rounds, Duration time, Duration warmUp, int costRounds) {}

    private VisibilityBenchmark() {}

    /** The command and the measurement. */
    public static Benchmark benchmark() {
        return new Benchmark(
                "visibility",
                """
                Measures how long a change takes until it can be had, beside a bare producer-to-consumer loop.
                Starts a broker, a writer and a worker of its own in a temporary directory. The full run takes about \
                five minutes.
                """,
                """

                bare loop  from when a record is due to be sent until the poll that brings it returns
                Tidemark   from the time stamp of the commit, taken before it is synced, until queries find
                           the change

                Examples:
                  tidemark bench visibility --quick
                  tidemark bench visibility --rate 1000 --rounds 9 --json
                """,
                true,
                List.of(
                        Arguments.flag("--quick", "Short rounds, in all under two minutes; ratios are less certain."),
                        Arguments.numbers("--rate", "1000,10000", "Changes a second"),
                        Arguments.number(
                                "--rounds",
                                1,
                                "7",
                                "Rounds of each, at each rate (default: ${DEFAULT-VALUE}; 5 with --quick)."),
                        Arguments.time(
                                "--time",
                                Duration.ofMillis(1),
                                "10s",
                                "Length of a round (default: ${DEFAULT-VALUE}; 3s with --quick)."),
                        Arguments.time(
                                "--warm-up",
                                Duration.ZERO,
                                "",
                                "How long each runs before its first round, at each rate (default: four rounds, 40 s at"
                                        + " most; two with --quick)."),
                        Arguments.number(
                                "--cost-rounds",
                                0,
                                "9",
                                "Rounds of measuring what timing every change costs; 0 for none")),
                (arguments, bench) -> run(plan(arguments), bench));
    }

    private static Plan plan(Arguments arguments) {
        boolean quick = arguments.quick();
        Duration each = quick ? Duration.ofSeconds(3) : arguments.get("--time", Duration.ZERO);
        // A service that has just started spends its time on compiling itself: 1,000 calls a second take half a
        // minute until that is done on two processors.
        Duration enough = each.multipliedBy(quick ? 2 : 4);
        Duration usual = enough.compareTo(LONGEST_WARM_UP) < 0 ? enough : LONGEST_WARM_UP;
        return new Plan(
                arguments.get("--rate", List.<Integer>of()),
                quick ? 5 : arguments.number("--rounds"),
                each,
                arguments.get("--warm-up", usual),
                arguments.number("--cost-rounds"));
    }

    private static Report run(Plan plan, Bench bench) throws Exception {
        try (BenchStack stack = BenchStack.start(bench)) {
            List<Comparison> comparisons = compare(plan, bench, stack);
            stack.endProcesses();
            double loadAfter = Machine.loadNow();
            Optional<Cost> cost = plan.costRounds() == 0
                    ? Optional.empty()
                    : Optional.of(Cost.measure(Cost.Work.WATCH, stack, plan.costRounds()));
            return new VisibilityReport(bench.machine(), plan, comparisons, cost, loadAfter).report();
        }
    }

    private static List<Comparison> compare(Plan plan, Bench bench, BenchStack stack) throws Exception {
        bench.progress().accept("broker, writer and worker are up; each system warms up before its first round");
        TidemarkLoop tidemark = new TidemarkLoop(stack.tidemark(), bench.clock());
        Latencies like = tidemark.visibility();
        Map<String, BenchSystems.MeasuredSystem> systems = new LinkedHashMap<>();
        for (Baseline baseline : Baseline.values()) {
            systems.put(baseline.label(), bench.systems().bareLoop(baseline, stack, like));
        }
        systems.put(Contender.TIDEMARK, tidemark);
        List<Comparison> comparisons = new ArrayList<>();
        for (int rate : plan.rates()) {
            for (BenchSystems.MeasuredSystem system : systems.values()) {
                system.run(Load.of(rate, plan.warmUp()));
            }
            Load load = Load.of(rate, plan.time());
            Map<String, Contender> contenders = new LinkedHashMap<>();
            systems.forEach((label, system) -> contenders.put(label, () -> system.run(load)));
            String title = Numbers.whole(rate) + " changes/s";
            comparisons.add(new Comparison(
                    load,
                    Rounds.run(title, 0, plan.rounds(), contenders, VisibilityBenchmark::text, bench.progress())));
        }
        return comparisons;
    }

    private static String text(Map<Figure, Double> round) {
        return VisibilityFigures.QUANTILES.stream()
                .map(quantile -> String.format(
                        Locale.ROOT,
                        "%s %.2f ms",
                        quantile,
                        round.getOrDefault(Measure.VISIBILITY.at(quantile), Double.NaN) * 1e3))
                .collect(Collectors.joining(" "));
    }

    /**
     * Rounds of the bare loops and of Tidemark under the same load.
     *
     * @param rounds of each system, by its label
     */
    record Comparison(Load load, Rounds rounds) {
        /** One quantile of one measure of Tidemark, in seconds. */
        RoundSpread own(Measure measure, String quantile) {
            return rounds.spread(Contender.TIDEMARK, measure.at(quantile));
        }

        /** Tidemark's visibility in terms of a bare loop's. */
        double ratio(Baseline baseline, String quantile) {
            return own(Measure.VISIBILITY, quantile).median()
                    / rounds.spread(baseline.label(), Measure.VISIBILITY.at(quantile))
                            .median();
        }
    }
}
