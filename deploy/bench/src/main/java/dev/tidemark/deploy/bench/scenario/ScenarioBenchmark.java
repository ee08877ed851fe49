package dev.tidemark.deploy.bench.scenario;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.tidemark.deploy.bench.Arguments;
import dev.tidemark.deploy.bench.Bench;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.bench.Rounds;
import dev.tidemark.deploy.bench.Setting;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;

/** Tidemark and one baseline in turn. */
public final class ScenarioBenchmark {
    private static final List<Setting> SETTINGS = List.of(
            Setting.quick("Small and short; ratios are less certain."),
            Setting.number("--rounds", "", "How often each is measured (default: 5; less with --quick)."),
            Setting.time("--time", "", "Length of a round, where one lasts for a time (default: 8s; 1s with --quick)."),
            new Setting(List.of("--rows", "--entries"), "N", Integer.class, "", "How much is worked on; see above."));

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
                SETTINGS,
                arguments -> {
                    ScenarioSize size = size(scenario, arguments);
                    return bench ->
                            run(scenario, size, suites.apply(scenario), bench).report();
                });
    }

    private static ScenarioSize size(Scenario scenario, Arguments arguments) {
        ScenarioSize usual = scenario.size(arguments.quick());
        return new ScenarioSize(
                arguments.number("--rounds", usual.rounds()),
                usual.warmUps(),
                arguments.time("--time", usual.time()),
                arguments.number("--rows", usual.rows()));
    }

    private static ScenarioReport run(Scenario scenario, ScenarioSize size, Suite suite, Bench bench)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(bench.clock());
        if (suite.obstacle().isPresent()) {
            List<String> reason = List.of("Left out: " + suite.obstacle().get() + ".");
            return new ScenarioReport(machine, scenario, size, List.of(), reason);
        }
        Map<Role, Map<String, String>> settings =
                Map.of(Role.BROKER, BenchStack.FULL_TOPICS, Role.WORKER, scenario.workerSettings());
        try (BenchStack stack = BenchStack.start(bench, "", settings)) {
            bench.progress().accept(scenario.label() + ": the stack is up, and gets its rows");
            ScenarioContext context = new ScenarioContext(stack, size);
            try (Contender<Map<Figure, Double>> tidemark = suite.tidemark().make(context)) {
                Optional<Contender<Map<Figure, Double>>> baseline =
                        suite.baseline().make(context);
                try {
                    List<String> leftOut = baseline.isPresent()
                            ? List.of()
                            : List.of("Left out: " + scenario.baseline() + "; " + suite.remedy() + ".");
                    List<FigureResult> results = rounds(scenario, size, tidemark, baseline, bench.progress());
                    return new ScenarioReport(machine, scenario, size, results, leftOut);
                } finally {
                    baseline.ifPresent(Contender::close);
                }
            }
        }
    }

    /** Runs all rounds; a result for each figure of the scenario. */
    static List<FigureResult> rounds(
            Scenario scenario,
            ScenarioSize size,
            Contender<Map<Figure, Double>> tidemark,
            Optional<Contender<Map<Figure, Double>>> baseline,
            Consumer<String> progress)
            throws BenchException, IOException, InterruptedException {
        List<Contender<Map<Figure, Double>>> contenders = new ArrayList<>(List.of(tidemark));
        baseline.ifPresent(contenders::add);
        Map<String, List<Map<Figure, Double>>> found = new Rounds(
                        scenario.label(), size.warmUps(), size.rounds(), Rounds.Order.ALTERNATING, progress)
                .run(contenders, ScenarioBenchmark::text);
        return scenario.figures().stream()
                .map(figure -> new FigureResult(
                        figure, spread(found, tidemark, figure), baseline.map(other -> spread(found, other, figure))))
                .toList();
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
}
