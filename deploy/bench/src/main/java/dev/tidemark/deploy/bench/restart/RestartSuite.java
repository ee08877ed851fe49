package dev.tidemark.deploy.bench.restart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.apply.BaselineCommands;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.stack.Installation;

/** A worker and an application on Kafka Streams, with an entry for each row of one table. */
public final class RestartSuite implements Suite {
    private final Builders builders;
    private final BaselineCommands commands;
    private final QueryProbe asked;

    public RestartSuite(Builders builders, BaselineCommands commands, QueryProbe asked) {
        this.builders = builders;
        this.commands = commands;
        this.asked = asked;
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public Contender tidemark(ScenarioContext context) throws BenchException, InterruptedException {
        IndexBuilder table =
                builders.tidemark(context.stack().writerUrl(), context.stack().workerUrl(), context.clock());
        table.load(IntStream.range(0, context.size().rows()).mapToObj(CustomerRow::ofRow));
        return new WorkerRestart(context, table, asked);
    }

    @Override
    public Optional<Contender> peer(ScenarioContext context) throws BenchException, IOException, InterruptedException {
        if (!commands.hasStreams(context.installation())) {
            return Optional.empty();
        }
        Path directory = Files.createDirectory(context.scratch().resolve("streams"));
        return Optional.of(StreamsRestart.fill(
                mode -> commands.server(context.installation(), context.stack().bootstrapServers(), directory, mode),
                context.scratch().resolve("streams.log"),
                context.clock()));
    }

    @Override
    public String remedy(Installation installation) {
        return BaselineCommands.REMEDY;
    }
}
