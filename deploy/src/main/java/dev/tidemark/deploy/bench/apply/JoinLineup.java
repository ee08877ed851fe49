package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Contestants;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.race.Ground;
import dev.tidemark.deploy.bench.race.Lineup;
import dev.tidemark.deploy.bench.race.Racer;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.Role;

/** A new worker and a new instance of the application on Kafka Streams, over one full topic. */
public final class JoinLineup implements Lineup {
    private final Contestants contestants;
    private final Builders builders;
    private final RivalCommands commands;

    public JoinLineup(Contestants contestants, Builders builders, RivalCommands commands) {
        this.contestants = contestants;
        this.builders = builders;
        this.commands = commands;
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public Racer tidemark(Ground ground) throws BenchException, InterruptedException {
        int changes = ground.size().rows();
        StackWorker worker = new TopicFiller(contestants, builders, ground.clock()).fill(ground.stack(), changes);
        Follower follower = new TidemarkFollower(changes, worker, ground.clock());
        return new JoinRacer("Tidemark", changes, () -> {
            Follower.Followed followed = follower.follow(ground.scratch());
            worker.end(Role.WORKER);
            return followed;
        });
    }

    @Override
    public Optional<Racer> peer(Ground ground) throws IOException {
        if (!commands.hasStreams(ground.installation())) {
            return Optional.empty();
        }
        Path parent = Files.createDirectory(ground.scratch().resolve("streams"));
        int changes = ground.size().rows();
        Follower follower = new ProcessFollower(
                changes,
                ground.clock(),
                directory -> commands.of(
                        Rival.STREAMS_EXACTLY_ONCE,
                        ground.installation(),
                        ground.stack().bootstrapServers(),
                        directory));
        return Optional.of(new JoinRacer(
                "Kafka Streams", changes, () -> follower.follow(Files.createTempDirectory(parent, "joins-"))));
    }

    @Override
    public String remedy(Installation installation) {
        return RivalCommands.REMEDY;
    }
}
