package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.race.Ground;
import dev.tidemark.deploy.bench.race.Lineup;
import dev.tidemark.deploy.bench.race.Racer;
import dev.tidemark.deploy.bench.race.RowFiles;
import dev.tidemark.deploy.stack.Installation;

/** Bulk loads, beside a peer that somebody else makes. */
public final class HttpBulkLineup implements Lineup {
    private final PeerMaker peers;

    public HttpBulkLineup(PeerMaker peers) {
        this.peers = peers;
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public Racer tidemark(Ground ground) throws IOException {
        RowFiles files = RowFiles.write(ground, "ndjson", customer -> customer.json() + "\n");
        HttpIndexBuilder table =
                new HttpIndexBuilder(ground.stack().writerUrl(), ground.stack().workerUrl(), ground.clock());
        return new HttpBulkRacer(ground, table, files.paths().iterator());
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
