package dev.tidemark.worker.http;

import java.net.URI;
import java.util.List;

import dev.tidemark.http.ServiceClient;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.shard.ProgressSignal;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.testkit.InMemoryOwnerSource;

/** A worker that knows no other. */
final class LoneWorker {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

    private LoneWorker() {}

    static OwnerCalls calls(RowLookup rows) {
        ShardRoutes routes = new ShardRoutes(
                new WorkerIdentity(NOWHERE, "worker-1", ""),
                "a",
                new InMemoryOwnerSource(List.of()),
                List::of,
                new SteadyClock(),
                () -> {});
        return new OwnerCalls(
                rows,
                routes,
                new PeerClient(
                        new ServiceConnection(ServiceClient.plain(NOWHERE)),
                        MemoryBudget.unlimited().part("pages", 1)),
                new WaiterLimit(new ProgressSignal(), 1),
                new SteadyClock());
    }
}
