package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.deploy.stack.StackException;

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
    public record Plan(List<Integer> rates, int rounds, Duration time, Duration warmUp, int costRounds) {
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
                Tidemark   from the time stamp of the commit, taken before it is synced, until queries find the change

                Examples:
                  tidemark bench visibility --quick
                  tidemark bench visibility --rate 1000 --rounds 9 --json
                """,
                true,
                List.of(
                        Setting.quick("Short rounds, in all under two minutes; ratios are less certain."),
                        Setting.numbers("--rate", "1000,10000", "Changes a second"),
                        Setting.number(
                                "--rounds",
                                "7",
                                "Rounds of each, at each rate (default: ${DEFAULT-VALUE}; 5 with --quick)."),
                        Setting.time(
                                "--time", "10s", "Length of a round (default: ${DEFAULT-VALUE}; 3s with --quick)."),
                        Setting.time(
                                "--warm-up",
                                "",
                                "How long each runs before its first round, at each rate (default: four rounds, 40 s at"
                                        + " most; two with --quick)."),
                        Setting.number(
                                "--cost-rounds",
                                "9",
                                "Rounds of measuring what timing every change costs; 0 for none")),
                VisibilityBenchmark::prepare);
    }

    private static Benchmark.Measurement prepare(Arguments arguments) {
        boolean quick = arguments.quick();
        Duration each = quick ? Duration.ofSeconds(3) : arguments.time("--time", Duration.ZERO);
        // A service that has just started spends its time on compiling itself: 1,000 calls a second take half a
        // minute until that is done on two processors.
        Duration enough = each.multipliedBy(quick ? 2 : 4);
        Duration usual = enough.compareTo(LONGEST_WARM_UP) < 0 ? enough : LONGEST_WARM_UP;
        Plan plan = new Plan(
                arguments.numbers("--rate"),
                quick ? 5 : arguments.number("--rounds", 0),
                each,
                arguments.time("--warm-up", usual),
                arguments.number("--cost-rounds", 0));
        return bench -> run(plan, bench);
    }

    private static Report run(Plan plan, Bench bench)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(bench.clock());
        try (BenchStack stack = BenchStack.start(bench)) {
            List<Comparison> comparisons = compare(plan, bench, stack);
            stack.services().close();
            double loadAfter = Machine.loadNow();
            Optional<Cost> cost = plan.costRounds() == 0
                    ? Optional.empty()
                    : Optional.of(Cost.measure(Cost.Work.WATCH, stack, plan.costRounds()));
            return new VisibilityReport(machine, plan, comparisons, cost, loadAfter).report();
        }
    }

    private static List<Comparison> compare(Plan plan, Bench bench, BenchStack stack)
            throws BenchException, IOException, InterruptedException {
        bench.progress().accept("broker, writer and worker are up; each system warms up before its first round");
        TidemarkLoop tidemark = new TidemarkLoop(stack.target(), bench.clock());
        Latencies like = tidemark.visibility();
        Map<String, MeasuredSystem> systems = new LinkedHashMap<>();
        try {
            for (Baseline baseline : Baseline.values()) {
                systems.put(baseline.label(), bench.systems().bareLoop(baseline, stack, like, bench.clock()));
            }
            systems.put(Contender.TIDEMARK, tidemark);
            List<Comparison> comparisons = new ArrayList<>();
            for (int rate : plan.rates()) {
                comparisons.add(compare(plan, rate, systems, bench));
            }
            return comparisons;
        } finally {
            systems.values().forEach(MeasuredSystem::close);
        }
    }

    private static Comparison compare(Plan plan, int rate, Map<String, MeasuredSystem> systems, Bench bench)
            throws BenchException, IOException, InterruptedException {
        Load load = Load.of(rate, plan.time());
        List<Contender<Round>> contenders = new ArrayList<>();
        systems.forEach((label, system) -> contenders.add(new Contender<>(label, () -> system.run(load))));
        for (MeasuredSystem system : systems.values()) {
            system.run(Load.of(rate, plan.warmUp()));
        }
        String title = Numbers.whole(rate) + " changes/s";
        return new Comparison(
                load,
                new Rounds(title, 0, plan.rounds(), Rounds.Order.ALTERNATING, bench.progress())
                        .run(contenders, VisibilityBenchmark::text));
    }

    private static String text(Round round) {
        Round.Quantiles visible = round.get(Round.Measure.VISIBILITY);
        return String.format(Locale.ROOT, "p50 %.2f ms p99 %.2f ms", visible.p50() * 1e3, visible.p99() * 1e3);
    }
}
