package dev.tidemark.deploy.bench.http;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Customer;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.race.Ground;
import dev.tidemark.deploy.bench.race.Lineup;
import dev.tidemark.deploy.bench.race.Racer;
import dev.tidemark.deploy.drill.hostile.Flood;
import dev.tidemark.deploy.drill.hostile.Script;
import dev.tidemark.deploy.drill.hostile.Scripts;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.Role;

/** One stack, asked with and without slow clients beside. */
public final class HttpClientsLineup implements Lineup {
    private static final int CONNECTIONS = 400;
    private static final String TABLE = "customers";
    private static final String INDEX = "by_town_last_name";

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public Racer tidemark(Ground ground) throws BenchException, InterruptedException {
        try (IndexBuilder table =
                new HttpIndexBuilder(ground.stack().writerUrl(), ground.stack().workerUrl(), ground.clock())) {
            table.load(IntStream.range(0, ground.size().rows()).mapToObj(Customer::ofRow));
        }
        URI writer = ground.stack().writerUrl();
        URI worker = ground.stack().workerUrl();
        return new HttpClientsRacer(
                "beside slow clients",
                ground,
                () -> List.of(
                        slow(Role.WRITER, writer, new Scripts(writer.getAuthority()).forWriter(TABLE, "customerId")),
                        slow(Role.WORKER, worker, new Scripts(worker.getAuthority()).forWorker(TABLE, INDEX))));
    }

    private static Flood slow(Role role, URI url, List<Script> scripts) {
        return new Flood(
                role.label(), url, scripts.stream().filter(Script::isSlow).toList(), CONNECTIONS);
    }

    @Override
    public Optional<Racer> peer(Ground ground) {
        return Optional.of(new HttpClientsRacer("alone", ground, List::of));
    }

    @Override
    public String remedy(Installation installation) {
        return "it needs nothing";
    }
}
