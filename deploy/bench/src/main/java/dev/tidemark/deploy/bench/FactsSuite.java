package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.deploy.stack.PostgresPrograms;
import dev.tidemark.deploy.stack.StackSettings;

/** A stack with fact tables in PostgreSQL beside one with fact tables in RocksDB, each with its broker. */
public final class FactsSuite {
    private static final Duration VISIBILITY_TIME = Duration.ofSeconds(5);

    private FactsSuite() {}

    /** The suite; the stack of the context is the one on RocksDB. */
    public static Suite of(String searchPath) {
        Optional<WrkTool> wrk = WrkTool.on(searchPath);
        Optional<String> noServer = PostgresPrograms.find(System.getenv()).isPresent()
                ? Optional.empty()
                : Optional.of(Suite.POSTGRES_REMEDY);
        Optional<String> noWrk = wrk.isPresent() ? Optional.empty() : Optional.of(WrkTool.REMEDY);
        return new Suite(
                noServer.or(() -> noWrk),
                context -> onPostgres(wrk.orElseThrow(), context),
                List.of(new Suite.SuiteBaseline(
                        context -> Optional.of(contender("on RocksDB", wrk.orElseThrow(), context, () -> {})),
                        Suite.POSTGRES_REMEDY)));
    }

    private static Contender<Map<Figure, Double>> onPostgres(WrkTool wrk, ScenarioContext context) throws Exception {
        BenchStack stack =
                BenchStack.start(context.stack().bench(), StackSettings::withOwnPostgresql, BenchStack.OF_FULL_TOPICS);
        try {
            return contender("on PostgreSQL", wrk, new ScenarioContext(stack, context.size()), stack::closeQuietly);
        } catch (Exception e) {
            stack.closeQuietly();
            throw e;
        }
    }

    private static Contender<Map<Figure, Double>> contender(
            String name, WrkTool wrk, ScenarioContext context, Runnable end) throws Exception {
        Contender<Map<Figure, Double>> puts = wrk.tidemark(Scenario.PUT, context);
        Contender<Map<Figure, Double>> loads = RequestSuites.writer(context);
        TidemarkLoop loop =
                new TidemarkLoop(context.stack().tidemark(), context.stack().clock());
        Contender.Turn<Map<Figure, Double>> turn = () -> {
            Map<Figure, Double> found = new EnumMap<>(Figure.class);
            found.putAll(puts.turn().run());
            found.putAll(loads.turn().run());
            found.putAll(loop.visibility(VISIBILITY_TIME));
            return found;
        };
        return new Contender<>(name, turn, end);
    }
}
