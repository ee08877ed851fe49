package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Model.OptionSpec;

import dev.tidemark.deploy.bench.Scenario.ScenarioBaseline;
import dev.tidemark.deploy.bench.Scenario.ScenarioSize;

/** Tidemark and baselines in turn. */
final class ScenarioBenchmark {
    private static final List<String> HEADER = List.of("what", "beside", "the other", "Tidemark", "ratio");

    private ScenarioBenchmark() {}

    /** The command and the measurement of a scenario. */
    static Benchmark benchmark(Scenario scenario) {
        return new Benchmark(
                scenario.name(),
                scenario.description(),
                "\nExample:\n  tidemark bench " + scenario.name() + " --quick",
                true,
                options(),
                (arguments, bench) -> run(scenario, size(scenario, arguments), bench));
    }

    private static List<OptionSpec> options() {
        return List.of(
                Arguments.flag("--quick", "Small and short; ratios are less certain."),
                Arguments.number("--rounds", 1, "", "How often each is measured (default: 5; less with --quick)."),
                Arguments.time(
                        "--time",
                        Duration.ofSeconds(1),
                        "",
                        "Length of a round, where one lasts for a time (default: 8s; 1s with --quick)."),
                Arguments.number("--rows", 1, "", "How much is worked on; see above.", "--entries"));
    }

    private static ScenarioSize size(Scenario scenario, Arguments arguments) {
        ScenarioSize usual = arguments.quick() ? scenario.quick() : scenario.usual();
        return new ScenarioSize(
                arguments.get("--rounds", usual.rounds()),
                usual.warmUps(),
                arguments.get("--time", usual.time()),
                arguments.get("--rows", usual.rows()));
    }

    private static Report run(Scenario scenario, ScenarioSize size, Bench bench) throws Exception {
        Optional<String> obstacle = scenario.setup().obstacle();
        if (obstacle.isPresent()) {
            return report(bench.machine(), scenario, size, List.of(), List.of("Left out: " + obstacle.get() + "."));
        }
        try (BenchStack stack = BenchStack.start(
                bench,
                scenario.setup().catalog(),
                all -> scenario.setup().settings().apply(BenchStack.keepingRecords(all)))) {
            bench.progress().accept(scenario.name() + ": the stack is up, and gets its rows");
            ScenarioContext context = new ScenarioContext(stack, size);
            Map<String, Contender> contenders = new LinkedHashMap<>();
            List<String> leftOut = new ArrayList<>();
            contenders.put(Contender.TIDEMARK, scenario.tidemark().make(context));
            for (ScenarioBaseline baseline : scenario.baselines()) {
                baseline.maker()
                        .make(context)
                        .ifPresentOrElse(
                                made -> contenders.put(baseline.name(), made),
                                () -> leftOut.add("Left out: " + baseline.name() + "; " + baseline.remedy() + "."));
            }
            List<FigureResult> results = results(scenario, size, contenders, bench.progress());
            return report(bench.machine(), scenario, size, results, leftOut);
        }
    }

    /**
     * Runs all rounds.
     *
     * @param contenders Tidemark and those baselines that are not left out, by name
     * @return a result for each figure of the scenario beside each baseline
     */
    static List<FigureResult> results(
            Scenario scenario, ScenarioSize size, Map<String, Contender> contenders, Consumer<String> progress)
            throws Exception {
        Rounds rounds = Rounds.run(scenario.name(), size.warmUps(), size.rounds(), contenders, Figure::text, progress);
        List<FigureResult> results = new ArrayList<>();
        for (Figure figure : scenario.figures()) {
            for (ScenarioBaseline baseline : scenario.baselines()) {
                String name = baseline.name();
                results.add(new FigureResult(
                        figure,
                        name,
                        rounds.spread(Contender.TIDEMARK, figure),
                        contenders.containsKey(name) ? Optional.of(rounds.spread(name, figure)) : Optional.empty()));
            }
        }
        return results;
    }

    /**
     * The report of a scenario.
     *
     * @param results none when the scenario could not run
     * @param leftOut what was left out, and why; a sentence each
     */
    static Report report(
            Machine machine, Scenario scenario, ScenarioSize size, List<FigureResult> results, List<String> leftOut) {
        long seconds = size.time().toSeconds();
        String heading = machine.heading(size.rows(), size.rounds());
        Report report =
                new Report(scenario.name(), machine, seconds > 1 ? heading + ", " + seconds + " s each" : heading);
        report.json().put("rows", size.rows()).put("rounds", size.rounds()).put("beside", scenario.besides());
        results.forEach(result -> result.into(report.json()));
        report.json().set("leftOut", Report.tree(leftOut));
        if (!results.isEmpty()) {
            report.table(HEADER, results.stream().map(FigureResult::cells).toList());
        }
        leftOut.forEach(report::sentence);
        scenario.description().replaceAll(" --rows.*", "").lines().skip(1).forEach(report::sentence);
        return report;
    }

    /**
     * One figure of a scenario, beside one baseline.
     *
     * @param beside the name of the baseline
     * @param baseline the same figure of the baseline; empty when that was left out
     */
    record FigureResult(Figure figure, String beside, RoundSpread tidemark, Optional<RoundSpread> baseline) {
        /** Tidemark's median in terms of the baseline's; empty without a baseline. */
        Optional<Double> ratio() {
            return baseline.map(other -> tidemark.median() / other.median());
        }

        /** Cells of a table: what, beside what, the baseline, Tidemark, ratio. */
        List<String> cells() {
            return List.of(
                    figure.label(),
                    beside,
                    baseline.map(this::text).orElse("left out"),
                    text(tidemark),
                    ratio().map(Numbers::hundredths).orElse(""));
        }

        /** Puts the same into JSON, under the name of the figure where it is the first of it. */
        void into(ObjectNode json) {
            boolean first = !json.has(figure.key());
            ObjectNode own = json.putObject(first ? figure.key() : figure.key() + " beside " + beside)
                    .put("unit", figure.unit());
            own.set("tidemark", tidemark.json(""));
            baseline.ifPresent(other -> own.set("peer", other.json("")));
            ratio().ifPresent(ratio -> own.put("ratio", ratio));
        }

        private String text(RoundSpread spread) {
            return spread.text(figure::number, " " + figure.unit());
        }
    }
}
