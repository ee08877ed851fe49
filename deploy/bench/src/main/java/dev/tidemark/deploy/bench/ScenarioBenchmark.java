package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Model.OptionSpec;

import dev.tidemark.deploy.stack.Role;

/** Tidemark and one baseline in turn. */
public final class ScenarioBenchmark {
    private ScenarioBenchmark() {}

    /**
     * The command and the measurement of a scenario.
     *
     * @param suites gives the two systems of a scenario
     */
    public static Benchmark benchmark(Scenario scenario, Function<Scenario, Suite> suites) {
        return new Benchmark(
                scenario.label(),
                scenario.description(),
                "\nExample:\n  tidemark bench " + scenario.label() + " --quick",
                true,
                options(),
                arguments -> {
                    Scenario.ScenarioSize size = size(scenario, arguments);
                    return bench ->
                            run(scenario, size, suites.apply(scenario), bench).report();
                });
    }

    private static List<OptionSpec> options() {
        return List.of(
                Arguments.flag("--quick", "Small and short; ratios are less certain."),
                Arguments.number("--rounds", "", "How often each is measured (default: 5; less with --quick)."),
                Arguments.time(
                        "--time", "", "Length of a round, where one lasts for a time (default: 8s; 1s with --quick)."),
                Arguments.number("--rows", "", "How much is worked on; see above.", "--entries"));
    }

    private static Scenario.ScenarioSize size(Scenario scenario, Arguments arguments) {
        Scenario.ScenarioSize usual = scenario.size(arguments.quick());
        return new Scenario.ScenarioSize(
                arguments.get("--rounds", usual.rounds()),
                usual.warmUps(),
                arguments.get("--time", usual.time()),
                arguments.get("--rows", usual.rows()));
    }

    private static ScenarioReport run(Scenario scenario, Scenario.ScenarioSize size, Suite suite, Bench bench)
            throws Exception {
        Machine machine = Machine.here(bench.clock());
        if (suite.obstacle().isPresent()) {
            List<String> reason = List.of("Left out: " + suite.obstacle().get() + ".");
            return new ScenarioReport(machine, scenario, size, List.of(), reason);
        }
        Map<Role, Map<String, String>> settings =
                Map.of(Role.BROKER, BenchStack.FULL_TOPICS, Role.WORKER, scenario.workerSettings());
        try (BenchStack stack = BenchStack.start(bench, scenario.catalog(), settings)) {
            bench.progress().accept(scenario.label() + ": the stack is up, and gets its rows");
            ScenarioContext context = new ScenarioContext(stack, size);
            try (Contender<Map<Figure, Double>> tidemark = suite.tidemark().make(context)) {
                List<Optional<Contender<Map<Figure, Double>>>> baselines = new ArrayList<>();
                try {
                    List<String> leftOut = new ArrayList<>();
                    for (Suite.SuiteBaseline baseline : suite.baselines()) {
                        String name = scenario.baselines().get(baselines.size());
                        baselines.add(baseline.maker().make(context));
                        if (baselines.get(baselines.size() - 1).isEmpty()) {
                            leftOut.add("Left out: " + name + "; " + baseline.remedy() + ".");
                        }
                    }
                    List<FigureResult> results = rounds(scenario, size, tidemark, baselines, bench.progress());
                    return new ScenarioReport(machine, scenario, size, results, leftOut);
                } finally {
                    baselines.forEach(baseline -> baseline.ifPresent(Contender::close));
                }
            }
        }
    }

    /**
     * Runs all rounds.
     *
     * @param baselines those of the scenario; empty where one is left out
     * @return a result for each figure of the scenario beside each baseline
     */
    static List<FigureResult> rounds(
            Scenario scenario,
            Scenario.ScenarioSize size,
            Contender<Map<Figure, Double>> tidemark,
            List<Optional<Contender<Map<Figure, Double>>>> baselines,
            Consumer<String> progress)
            throws Exception {
        List<Contender<Map<Figure, Double>>> contenders = new ArrayList<>(List.of(tidemark));
        baselines.forEach(baseline -> baseline.ifPresent(contenders::add));
        Map<String, List<Map<Figure, Double>>> found = new Rounds(
                        scenario.label(), size.warmUps(), size.rounds(), Rounds.Order.ALTERNATING, progress)
                .run(contenders, ScenarioBenchmark::text);
        List<FigureResult> results = new ArrayList<>();
        for (Figure figure : scenario.figures()) {
            for (int i = 0; i < baselines.size(); i++) {
                results.add(new FigureResult(
                        figure,
                        scenario.baselines().get(i),
                        spread(found, tidemark, figure),
                        baselines.get(i).map(other -> spread(found, other, figure))));
            }
        }
        return results;
    }

    private static RoundSpread spread(
            Map<String, List<Map<Figure, Double>>> found, Contender<Map<Figure, Double>> contender, Figure figure) {
        return RoundSpread.of(
                found.getOrDefault(contender.name(), List.of()), numbers -> numbers.getOrDefault(figure, Double.NaN));
    }

    private static String text(Map<Figure, Double> numbers) {
        return numbers.entrySet().stream()
                .map(each -> each.getKey().text(each.getValue()))
                .collect(Collectors.joining(" "));
    }

    /**
     * The results of a scenario.
     *
     * @param results one for each figure; none when the scenario could not run
     * @param leftOut what was left out, and why; a sentence each
     */
    record ScenarioReport(
            Machine machine,
            Scenario scenario,
            Scenario.ScenarioSize size,
            List<FigureResult> results,
            List<String> leftOut) {
        private static final List<String> HEADER = List.of("what", "beside", "the other", "Tidemark", "ratio");

        Report report() {
            ObjectNode json = Report.members(scenario.label(), machine)
                    .put("rows", size.rows())
                    .put("rounds", size.rounds())
                    .put("beside", String.join(", ", scenario.baselines()));
            results.forEach(result -> result.into(json));
            json.set("leftOut", Report.tree(leftOut));
            List<Report.Part> parts = new ArrayList<>();
            if (!results.isEmpty()) {
                parts.add(Report.Part.table(
                        HEADER, results.stream().map(FigureResult::cells).toList()));
            }
            leftOut.forEach(sentence -> parts.add(Report.Part.notes(List.of(sentence))));
            parts.add(Report.Part.notes(scenario.description()
                    .replaceAll(" --rows.*", "")
                    .lines()
                    .skip(1)
                    .toList()));
            long seconds = size.time().toSeconds();
            String heading = machine.heading(size.rows(), size.rounds());
            return new Report(seconds > 1 ? heading + ", " + seconds + " s each" : heading, parts, json);
        }
    }

    /**
     * One figure of a scenario, beside one baseline.
     *
     * @param beside the name of the baseline
     * @param baseline the same figure of the baseline; empty when that was left out
     */
    public record FigureResult(Figure figure, String beside, RoundSpread tidemark, Optional<RoundSpread> baseline) {
        /** Tidemark's median in terms of the baseline's; empty without a baseline. */
        public Optional<Double> ratio() {
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
