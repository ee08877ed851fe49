package dev.tidemark.deploy.bench.wrk;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.TidemarkTable;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;

/** Tidemark under wrk. */
public final class WrkSuite {
    private WrkSuite() {}

    /**
     * Tidemark beside a baseline.
     *
     * @param scenario {@link Scenario#PUT} or {@link Scenario#QUERY}
     * @param searchPath directories that may hold wrk, like the value of {@code PATH}
     */
    public static Suite of(Scenario scenario, String searchPath, Suite.BaselineMaker baseline) {
        Optional<WrkTool> wrk = WrkTool.on(searchPath);
        return new Suite(
                wrk.isPresent() ? Optional.empty() : Optional.of(WrkTool.REMEDY),
                context -> tidemark(wrk.orElseThrow(), scenario, context),
                baseline,
                Suite.POSTGRES_REMEDY);
    }

    private static Contender<Map<Figure, Double>> tidemark(WrkTool wrk, Scenario scenario, ScenarioContext context)
            throws BenchException, InterruptedException {
        TidemarkTable table = context.filledTable();
        boolean writes = scenario == Scenario.PUT;
        URI service = writes
                ? context.stack().services().writerUrl()
                : context.stack().services().workerUrl();
        AtomicInteger rounds = new AtomicInteger();
        return new Contender<>(
                table.name(),
                () -> {
                    WrkOutput output = wrk.run(
                            scenario,
                            context.stack().installation().home(),
                            service,
                            context.size().time(),
                            List.of(
                                    Integer.toString(context.size().rows()),
                                    Integer.toString(rounds.incrementAndGet())));
                    // Loading nothing waits until the index has caught up with what was written.
                    table.load(Stream.empty());
                    return writes
                            ? Map.of(Figure.PUT, output.perSecond())
                            : Map.of(Figure.QUERY, output.perSecond(), Figure.QUERY_P99, output.p99Millis());
                },
                table::close);
    }
}
