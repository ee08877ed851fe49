package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.MeasuredSystems;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.Role;

/** A new worker and a new instance of the application on Kafka Streams, over one full topic. */
public final class JoinSuite implements Suite {
    private final MeasuredSystems systems;
    private final Builders builders;
    private final BaselineCommands commands;

    public JoinSuite(MeasuredSystems systems, Builders builders, BaselineCommands commands) {
        this.systems = systems;
        this.builders = builders;
        this.commands = commands;
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public Contender tidemark(ScenarioContext context) throws BenchException, InterruptedException {
        int changes = context.size().rows();
        StackWorker worker = new TopicFiller(systems, builders, context.clock()).fill(context.stack(), changes);
        TopicIndexer follower = new TidemarkIndexer(changes, worker, context.clock());
        return new JoinContender("Tidemark", changes, () -> {
            TopicIndexer.Followed followed = follower.follow(context.scratch());
            worker.end(Role.WORKER);
            return followed;
        });
    }

    @Override
    public Optional<Contender> peer(ScenarioContext context) throws IOException {
        if (!commands.hasStreams(context.installation())) {
            return Optional.empty();
        }
        Path parent = Files.createDirectory(context.scratch().resolve("streams"));
        int changes = context.size().rows();
        TopicIndexer follower = new ProcessIndexer(
                changes,
                context.clock(),
                directory -> commands.of(
                        ApplyBaseline.STREAMS_EXACTLY_ONCE,
                        context.installation(),
                        context.stack().bootstrapServers(),
                        directory));
        return Optional.of(new JoinContender(
                "Kafka Streams", changes, () -> follower.follow(Files.createTempDirectory(parent, "joins-"))));
    }

    @Override
    public String remedy(Installation installation) {
        return BaselineCommands.REMEDY;
    }
}
