package dev.tidemark.deploy.bench.wrk;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.stack.Installation;

/** Tidemark under wrk, beside a baseline from the given maker. */
public final class WrkSuite implements Suite {
    private final Optional<WrkTool> wrk;
    private final WrkContender.Load load;
    private final Builders builders;
    private final PeerMaker peers;

    /**
     * A lineup.
     *
     * @param scenario {@link Scenario#PUT} or {@link Scenario#QUERY}
     * @param searchPath where to look for wrk, like the value of {@code PATH}
     */
    public WrkSuite(Scenario scenario, String searchPath, Builders builders, PeerMaker peers) {
        this.wrk = WrkTool.on(searchPath);
        this.load = WrkContender.Load.valueOf(scenario.name());
        this.builders = builders;
        this.peers = peers;
    }

    @Override
    public Optional<String> obstacle() {
        return wrk.isPresent() ? Optional.empty() : Optional.of("wrk is not installed; Debian's package wrk brings it");
    }

    @Override
    public Contender tidemark(ScenarioContext context) throws BenchException, InterruptedException {
        IndexBuilder table =
                builders.tidemark(context.stack().writerUrl(), context.stack().workerUrl(), context.clock());
        table.load(IntStream.range(0, context.size().rows()).mapToObj(CustomerRow::ofRow));
        return new WrkContender(wrk.orElseThrow(), load, context, table);
    }

    @Override
    public Optional<Contender> peer(ScenarioContext context) throws BenchException, IOException, InterruptedException {
        return peers.peer(context);
    }

    @Override
    public String remedy(Installation installation) {
        return "PostgreSQL is not installed; Debian's package postgresql brings it";
    }
}
