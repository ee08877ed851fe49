package dev.tidemark.deploy.e2e.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.tidemark.deploy.e2e.guarantee.NoAcknowledgedWriteLost;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.runtime.AgentRunner;

/** Clients that write single rows, patches, deletes and bulk loads until closed, whatever the services do meanwhile. */
public final class SteadyLoad implements AutoCloseable {
    private static final int CLIENTS = 3;

    /** How long each client rests between two requests; less with {@code -Dload.pace.ms=20}. */
    private static final Duration PACE = Duration.ofMillis(Integer.getInteger("load.pace.ms", 40));

    private final NoAcknowledgedWriteLost history = new NoAcknowledgedWriteLost();
    private final List<AgentRunner> clients = new ArrayList<>();

    private SteadyLoad() {}

    public static SteadyLoad start(String table, Facts facts, long seed) {
        SteadyLoad load = new SteadyLoad();
        for (int i = 0; i < CLIENTS; i++) {
            LoadClient client = new LoadClient("c" + i, table, facts, load.history, new Random(seed + i));
            load.clients.add(AgentRunner.start(client, PACE));
        }
        return load;
    }

    /** What the clients know; to be checked after they were stopped. */
    public NoAcknowledgedWriteLost history() {
        return history;
    }

    /** Ends every client after the request under way. */
    public void stop() {
        for (AgentRunner client : clients) {
            if (!client.close(Duration.ofSeconds(70))) {
                throw new AssertionError(client.roleName() + " does not end");
            }
            client.failure().ifPresent(failure -> {
                throw new AssertionError(client.roleName() + " failed", failure);
            });
        }
    }

    @Override
    public void close() {
        clients.forEach(client -> client.close(Duration.ofSeconds(70)));
    }
}
