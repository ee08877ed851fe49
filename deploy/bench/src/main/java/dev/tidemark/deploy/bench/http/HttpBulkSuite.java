package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.RowFiles;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.stack.Installation;

/** Bulk loads into Tidemark, beside a baseline from the given maker. */
public final class HttpBulkSuite implements Suite {
    private final PeerMaker peers;

    public HttpBulkSuite(PeerMaker peers) {
        this.peers = peers;
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public Contender tidemark(ScenarioContext context) throws IOException {
        RowFiles files = RowFiles.write(context, "ndjson", customer -> customer.json() + "\n");
        HttpIndexBuilder table = new HttpIndexBuilder(
                context.stack().writerUrl(), context.stack().workerUrl(), context.clock());
        return new HttpBulkContender(context, table, files.paths().iterator());
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
