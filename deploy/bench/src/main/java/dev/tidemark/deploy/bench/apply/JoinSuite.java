package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;

/** A new worker and a new instance of the application on Kafka Streams, over one full topic. */
public final class JoinSuite {
    private JoinSuite() {}

    /** Both systems; each round begins with nothing and is timed from the start of the process. */
    public static Suite of(BaselineCommands commands) {
        return new Suite(JoinSuite::worker, context -> streams(context, commands), BaselineCommands.REMEDY);
    }

    private static Contender<Map<Figure, Double>> worker(ScenarioContext context)
            throws BenchException, InterruptedException {
        int changes = context.size().rows();
        StackWorker worker = StackWorker.behind(changes, context.stack());
        return new Contender<>(Contender.TIDEMARK, () -> rate(changes, worker.followAndEnd(changes)));
    }

    private static Optional<Contender<Map<Figure, Double>>> streams(ScenarioContext context, BaselineCommands commands)
            throws IOException {
        if (!commands.hasStreams(context.stack().installation())) {
            return Optional.empty();
        }
        Path parent = Files.createDirectory(context.stack().directory().resolve("streams"));
        int changes = context.size().rows();
        TopicIndexer indexer = commands.indexer(ApplyBaseline.STREAMS_EXACTLY_ONCE, changes, context.stack());
        return Optional.of(new Contender<>(
                "Kafka Streams", () -> rate(changes, indexer.follow(Files.createTempDirectory(parent, "joins-")))));
    }

    private static Map<Figure, Double> rate(int changes, TopicIndexer.Followed followed) {
        return Map.of(Figure.JOIN, changes * 1e9 / followed.sinceStart().toNanos());
    }
}
