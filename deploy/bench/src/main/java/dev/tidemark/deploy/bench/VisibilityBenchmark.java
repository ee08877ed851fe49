package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

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
                                "7",
                                "Rounds of each, at each rate (default: ${DEFAULT-VALUE}; 5 with --quick)."),
                        Arguments.time(
                                "--time", "10s", "Length of a round (default: ${DEFAULT-VALUE}; 3s with --quick)."),
                        Arguments.time(
                                "--warm-up",
                                "",
                                "How long each runs before its first round, at each rate (default: four rounds, 40 s at"
                                        + " most; two with --quick)."),
                        Arguments.number(
                                "--cost-rounds",
                                "9",
                                "Rounds of measuring what timing every change costs; 0 for none")),
                VisibilityBenchmark::prepare);
    }

    private static Benchmark.Measurement prepare(Arguments arguments) {
        boolean quick = arguments.quick();
        Duration each = quick ? Duration.ofSeconds(3) : arguments.get("--time", Duration.ZERO);
        // A service that has just started spends its time on compiling itself: 1,000 calls a second take half a
        // minute until that is done on two processors.
        Duration enough = each.multipliedBy(quick ? 2 : 4);
        Duration usual = enough.compareTo(LONGEST_WARM_UP) < 0 ? enough : LONGEST_WARM_UP;
        Plan plan = new Plan(
                arguments.get("--rate", List.<Integer>of()),
                quick ? 5 : arguments.get("--rounds", 0),
                each,
                arguments.get("--warm-up", usual),
                arguments.get("--cost-rounds", 0));
        return bench -> run(plan, bench);
    }

    private static Report run(Plan plan, Bench bench) throws Exception {
        Machine machine = Machine.here(bench.clock());
        try (BenchStack stack = BenchStack.start(bench)) {
            List<VisibilityReport.Comparison> comparisons = compare(plan, bench, stack);
            stack.services().close();
            double loadAfter = Machine.loadNow();
            Optional<Cost> cost = plan.costRounds() == 0
                    ? Optional.empty()
                    : Optional.of(Cost.measure(Cost.Work.WATCH, stack, plan.costRounds()));
            return new VisibilityReport(machine, plan, comparisons, cost, loadAfter).report();
        }
    }

    private static List<VisibilityReport.Comparison> compare(Plan plan, Bench bench, BenchStack stack)
            throws Exception {
        bench.progress().accept("broker, writer and worker are up; each system warms up before its first round");
        TidemarkLoop tidemark = new TidemarkLoop(stack.tidemark(), bench.clock());
        Latencies like = tidemark.visibility();
        Map<String, BenchSystems.MeasuredSystem> systems = new LinkedHashMap<>();
        try {
            for (Baseline baseline : Baseline.values()) {
                systems.put(baseline.label(), bench.systems().bareLoop(baseline, stack, like));
            }
            systems.put(Contender.TIDEMARK, tidemark);
            List<VisibilityReport.Comparison> comparisons = new ArrayList<>();
            for (int rate : plan.rates()) {
                comparisons.add(compare(plan, rate, systems, bench));
            }
            return comparisons;
        } finally {
            systems.values().forEach(BenchSystems.MeasuredSystem::close);
        }
    }

    private static VisibilityReport.Comparison compare(
            Plan plan, int rate, Map<String, BenchSystems.MeasuredSystem> systems, Bench bench) throws Exception {
        Load load = Load.of(rate, plan.time());
        List<Contender<Round>> contenders = new ArrayList<>();
        systems.forEach((label, system) -> contenders.add(new Contender<>(label, () -> system.run(load))));
        for (BenchSystems.MeasuredSystem system : systems.values()) {
            system.run(Load.of(rate, plan.warmUp()));
        }
        String title = Numbers.whole(rate) + " changes/s";
        return new VisibilityReport.Comparison(
                load,
                new Rounds(title, 0, plan.rounds(), Rounds.Order.ALTERNATING, bench.progress())
                        .run(contenders, VisibilityBenchmark::text));
    }

    private static String text(Round round) {
        Round.Quantiles visible = round.get(Round.Measure.VISIBILITY);
        return String.format(Locale.ROOT, "p50 %.2f ms p99 %.2f ms", visible.p50() * 1e3, visible.p99() * 1e3);
    }

    /**
     * All figures of the visibility benchmark. Times in JSON are in seconds.
     *
     * @param cost of timing every change; empty where it was not wanted
     * @param loadAfter as in {@link Machine#load()}, at the end: the benchmark's own work is in it
     */
    record VisibilityReport(
            Machine machine,
            VisibilityBenchmark.Plan plan,
            List<Comparison> comparisons,
            Optional<Cost> cost,
            double loadAfter) {
        private static final List<String> STAGES = List.of("committer", "outbox", "kafka", "queue", "apply");

        Report report() {
            String heading = String.format(
                    Locale.ROOT,
                    "%s; ratios are of medians; %d s each, load %.1f after",
                    machine.heading(CustomerRow.CUSTOMERS, plan.rounds()),
                    plan.time().toSeconds(),
                    loadAfter);
            List<Report.Part> parts = new ArrayList<>();
            parts.add(Report.Part.table(
                    List.of("changes/s", "beside", "quantile", "bare loop", "Tidemark", "ratio"), ratios()));
            parts.add(new Report.Part(
                    "Tidemark from inside and from outside:",
                    List.of("changes/s", "from, to", "p50", "p99"),
                    outside()));
            parts.add(new Report.Part(
                    "Where the time goes, mean of a change in each stage:",
                    List.of("changes/s", "stage", "mean"),
                    stages()));
            cost.ifPresent(found -> parts.add(Report.Part.notes(List.of(sentence(found)))));
            return new Report(heading, parts, json());
        }

        /** A row for each rate, bare loop and quantile. */
        private List<List<String>> ratios() {
            List<List<String>> rows = new ArrayList<>();
            for (Comparison each : comparisons) {
                for (Baseline baseline : Baseline.values()) {
                    for (Round.Quantile quantile : Round.Quantile.values()) {
                        rows.add(List.of(
                                rate(each),
                                baseline.label(),
                                quantile.label(),
                                millis(each, baseline.label(), Round.Measure.VISIBILITY, quantile),
                                millis(each, Contender.TIDEMARK, Round.Measure.VISIBILITY, quantile),
                                Numbers.hundredths(each.ratio(baseline, quantile))));
                    }
                }
            }
            return rows;
        }

        /** A row for each rate and measure taken from outside. */
        private List<List<String>> outside() {
            return rows(
                    Stream.of(Round.Measure.values()).toList(),
                    (each, measure) -> Stream.of(List.of(
                            rate(each),
                            measure.label(),
                            millis(each, Contender.TIDEMARK, measure, Round.Quantile.P50),
                            millis(each, Contender.TIDEMARK, measure, Round.Quantile.P99))));
        }

        /** A row for each rate and stage. */
        private List<List<String>> stages() {
            return rows(STAGES, (each, stage) -> {
                List<Double> means = each.of(Contender.TIDEMARK).stream()
                        .flatMap(round -> Stream.ofNullable(round.stageMeans().get(stage)))
                        .toList();
                return means.isEmpty()
                        ? Stream.of()
                        : Stream.of(List.of(rate(each), stage, Numbers.millis(RoundSpread.of(means))));
            });
        }

        private <T> List<List<String>> rows(List<T> kinds, BiFunction<Comparison, T, Stream<List<String>>> row) {
            return comparisons.stream()
                    .flatMap(each -> kinds.stream().flatMap(kind -> row.apply(each, kind)))
                    .toList();
        }

        private static String rate(Comparison comparison) {
            return Numbers.whole(comparison.load().perSecond());
        }

        private static String millis(Comparison each, String system, Round.Measure measure, Round.Quantile quantile) {
            return Numbers.millis(each.spread(system, measure, quantile));
        }

        private static String sentence(Cost cost) {
            return "Timing every change costs "
                    + cost.ratio().text(ratio -> Numbers.tenths((ratio - 1) * 100), " %")
                    + " of the applying thread's processor time (" + Cost.micros(cost.first())
                    + " a change with the listeners, " + Cost.micros(cost.second()) + " without).";
        }

        private ObjectNode json() {
            ObjectNode json = Report.members("visibility", machine);
            json.putObject("machine")
                    .put("processor", machine.processor())
                    .put("processors", machine.processors())
                    .put("memory", machine.memory())
                    .put("system", machine.system())
                    .put("java", machine.java())
                    .put("loadBefore", machine.load())
                    .put("loadAfter", loadAfter);
            json.put("rounds", plan.rounds()).put("secondsPerRound", plan.time().toNanos() / 1e9);
            ArrayNode rates = json.putArray("rates");
            comparisons.forEach(each -> into(rates.addObject(), each));
            cost.ifPresent(found -> json.putObject("observation")
                    .put("attachedNanos", found.first().median())
                    .put("detachedNanos", found.second().median())
                    .put("share", found.ratio().median() - 1)
                    .put("leastShare", found.ratio().min() - 1)
                    .put("mostShare", found.ratio().max() - 1));
            return json;
        }

        private static void into(ObjectNode json, Comparison comparison) {
            json.put("changesPerSecond", comparison.load().perSecond())
                    .put("changesPerRequest", comparison.load().burst());
            List<Round> own = comparison.of(Contender.TIDEMARK);
            into(json.putObject("tidemark"), own, Round.Measure.VISIBILITY)
                    .set(
                            "stageMeanSeconds",
                            Report.tree(own.stream().map(Round::stageMeans).toList()));
            for (Baseline baseline : Baseline.values()) {
                into(json.putObject(baseline.key()), comparison.of(baseline.label()), Round.Measure.VISIBILITY)
                        .put("lingerMillis", baseline.lingerMillis())
                        .putObject("ratio")
                        .put("p50", comparison.ratio(baseline, Round.Quantile.P50))
                        .put("p99", comparison.ratio(baseline, Round.Quantile.P99));
            }
            ObjectNode outside = json.putObject("tidemarkFromOutside");
            for (Round.Measure each : List.of(Round.Measure.SENT_TO_SEEN, Round.Measure.ANSWERED_TO_SEEN)) {
                if (own.stream().allMatch(round -> round.get(each).count() > 0)) {
                    into(outside.putObject(each.name().toLowerCase(Locale.ROOT)), own, each);
                }
            }
        }

        /** Puts both quantiles of a measure into JSON: their medians, and all rounds. */
        private static ObjectNode into(ObjectNode json, List<Round> rounds, Round.Measure measure) {
            for (Round.Quantile quantile : Round.Quantile.values()) {
                List<Double> all = rounds.stream()
                        .map(round -> round.get(measure).get(quantile))
                        .toList();
                json.set(
                        quantile.label() + "Seconds",
                        RoundSpread.of(all).json("").set("rounds", Report.tree(all)));
            }
            return json;
        }

        /**
         * Rounds of the bare loops and of Tidemark under the same load.
         *
         * @param rounds at least one round of each system, by its label; Tidemark is one of them
         */
        record Comparison(Load load, Map<String, List<Round>> rounds) {
            /** The rounds of one system. */
            List<Round> of(String label) {
                return Optional.ofNullable(rounds.get(label))
                        .orElseThrow(() -> new IllegalArgumentException("Expected rounds of " + label));
            }

            /** One quantile of one measure over the rounds of one system, in seconds. */
            RoundSpread spread(String label, Round.Measure measure, Round.Quantile quantile) {
                return RoundSpread.of(of(label), round -> round.get(measure).get(quantile));
            }

            /** Tidemark's visibility in terms of a bare loop's. */
            double ratio(Baseline baseline, Round.Quantile quantile) {
                return spread(Contender.TIDEMARK, Round.Measure.VISIBILITY, quantile)
                                .median()
                        / spread(baseline.label(), Round.Measure.VISIBILITY, quantile)
                                .median();
            }
        }
    }
}
