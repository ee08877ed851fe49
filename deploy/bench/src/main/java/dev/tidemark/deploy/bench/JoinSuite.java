package dev.tidemark.deploy.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A new worker and a new instance of the application on Kafka Streams, over one full topic. */
public final class JoinSuite {
    private JoinSuite() {}

    /** Both systems; each round begins with nothing and is timed from the start of the process. */
    public static Suite of(BaselineCommands commands) {
        return new Suite(JoinSuite::worker, context -> streams(context, commands), BaselineCommands.REMEDY);
    }

    private static Contender<Map<Figure, Double>> worker(ScenarioContext context) throws Exception {
        int changes = context.size().rows();
        StackWorker worker = StackWorker.behind(changes, context.stack());
        return new Contender<>(Contender.TIDEMARK, () -> {
            try {
                StackWorker.Followed read = worker.follow(changes);
                return rates(changes, read.sinceStart(), new JoiningWorker(context.stack()).join());
            } finally {
                worker.end();
            }
        });
    }

    private static Optional<Contender<Map<Figure, Double>>> streams(ScenarioContext context, BaselineCommands commands)
            throws Exception {
        BenchStack stack = context.stack();
        if (!commands.hasStreams(stack.installation())) {
            return Optional.empty();
        }
        Path parent = Files.createDirectory(stack.directory().resolve("streams"));
        int changes = context.size().rows();
        return Optional.of(new Contender<>("Kafka Streams", () -> {
            Path directory = Files.createTempDirectory(parent, "joins-");
            StackWorker.Followed restored =
                    commands.follow(ApplyBaseline.STREAMS_EXACTLY_ONCE, changes, stack, directory);
            return rates(changes, restored.sinceStart(), restored.sinceStart());
        }));
    }

    private static Map<Figure, Double> rates(int changes, Duration read, Duration taken) {
        return Map.of(Figure.JOIN, changes * 1e9 / read.toNanos(), Figure.JOIN_COPY, changes * 1e9 / taken.toNanos());
    }
}
