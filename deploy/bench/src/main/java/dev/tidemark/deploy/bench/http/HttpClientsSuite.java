package dev.tidemark.deploy.bench.http;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.drill.hostile.Flood;
import dev.tidemark.deploy.drill.hostile.Script;
import dev.tidemark.deploy.drill.hostile.Scripts;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.Role;

/** One stack, asked with and without slow clients beside. */
public final class HttpClientsSuite implements Suite {
    private static final int CONNECTIONS = 400;
    private static final String TABLE = "customers";
    private static final String INDEX = "by_town_last_name";

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public Contender tidemark(ScenarioContext context) throws BenchException, InterruptedException {
        try (IndexBuilder table = new HttpIndexBuilder(
                context.stack().writerUrl(), context.stack().workerUrl(), context.clock())) {
            table.load(IntStream.range(0, context.size().rows()).mapToObj(CustomerRow::ofRow));
        }
        URI writer = context.stack().writerUrl();
        URI worker = context.stack().workerUrl();
        return new HttpClientsContender(
                "beside slow clients",
                context,
                () -> List.of(
                        slow(Role.WRITER, writer, new Scripts(writer.getAuthority()).forWriter(TABLE, "customerId")),
                        slow(Role.WORKER, worker, new Scripts(worker.getAuthority()).forWorker(TABLE, INDEX))));
    }

    private static Flood slow(Role role, URI url, List<Script> scripts) {
        return new Flood(
                role.label(), url, scripts.stream().filter(Script::isSlow).toList(), CONNECTIONS);
    }

    @Override
    public Optional<Contender> peer(ScenarioContext context) {
        return Optional.of(new HttpClientsContender("alone", context, List::of));
    }

    @Override
    public String remedy(Installation installation) {
        return "it needs nothing";
    }
}
