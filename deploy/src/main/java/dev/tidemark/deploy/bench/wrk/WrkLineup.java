package dev.tidemark.deploy.bench.wrk;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Customer;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.race.Course;
import dev.tidemark.deploy.bench.race.Ground;
import dev.tidemark.deploy.bench.race.Lineup;
import dev.tidemark.deploy.bench.race.Racer;
import dev.tidemark.deploy.stack.Installation;

/** Tidemark under wrk, beside a peer that somebody else makes. */
public final class WrkLineup implements Lineup {
    private final Optional<WrkTool> wrk;
    private final WrkRacer.Load load;
    private final Builders builders;
    private final PeerMaker peers;

    /**
     * A lineup.
     *
     * @param course {@link Course#PUT} or {@link Course#QUERY}
     * @param searchPath where to look for wrk, like the value of {@code PATH}
     */
    public WrkLineup(Course course, String searchPath, Builders builders, PeerMaker peers) {
        this.wrk = WrkTool.on(searchPath);
        this.load = WrkRacer.Load.valueOf(course.name());
        this.builders = builders;
        this.peers = peers;
    }

    @Override
    public Optional<String> obstacle() {
        return wrk.isPresent() ? Optional.empty() : Optional.of("wrk is not installed; Debian's package wrk brings it");
    }

    @Override
    public Racer tidemark(Ground ground) throws BenchException, InterruptedException {
        IndexBuilder table =
                builders.tidemark(ground.stack().writerUrl(), ground.stack().workerUrl(), ground.clock());
        table.load(IntStream.range(0, ground.size().rows()).mapToObj(Customer::ofRow));
        return new WrkRacer(wrk.orElseThrow(), load, ground, table);
    }

    @Override
    public Optional<Racer> peer(Ground ground) throws BenchException, IOException, InterruptedException {
        return peers.peer(ground);
    }

    @Override
    public String remedy(Installation installation) {
        return "PostgreSQL is not installed; Debian's package postgresql brings it";
    }
}
