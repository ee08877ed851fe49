package dev.tidemark.deploy.bench.restart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Customer;
import dev.tidemark.deploy.bench.apply.RivalCommands;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.race.Ground;
import dev.tidemark.deploy.bench.race.Lineup;
import dev.tidemark.deploy.bench.race.Racer;
import dev.tidemark.deploy.stack.Installation;

/** A worker and an application on Kafka Streams, with an entry for each row of one table. */
public final class RestartLineup implements Lineup {
    private final Builders builders;
    private final RivalCommands commands;
    private final Asked asked;

    public RestartLineup(Builders builders, RivalCommands commands, Asked asked) {
        this.builders = builders;
        this.commands = commands;
        this.asked = asked;
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public Racer tidemark(Ground ground) throws BenchException, InterruptedException {
        IndexBuilder table =
                builders.tidemark(ground.stack().writerUrl(), ground.stack().workerUrl(), ground.clock());
        table.load(IntStream.range(0, ground.size().rows()).mapToObj(Customer::ofRow));
        return new WorkerRestart(ground, table, asked);
    }

    @Override
    public Optional<Racer> peer(Ground ground) throws BenchException, IOException, InterruptedException {
        if (!commands.hasStreams(ground.installation())) {
            return Optional.empty();
        }
        Path directory = Files.createDirectory(ground.scratch().resolve("streams"));
        return Optional.of(StreamsRestart.fill(
                mode -> commands.server(ground.installation(), ground.stack().bootstrapServers(), directory, mode),
                ground.scratch().resolve("streams.log"),
                ground.clock()));
    }

    @Override
    public String remedy(Installation installation) {
        return RivalCommands.REMEDY;
    }
}
