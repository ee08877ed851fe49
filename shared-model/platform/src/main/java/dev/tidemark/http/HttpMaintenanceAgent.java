package dev.tidemark.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.tidemark.runtime.Agent;

/**
 * The thread {@code guard}: puts changed certificates and tokens in force, and closes the connections of slow clients.
 */
public final class HttpMaintenanceAgent implements Agent {
    private static final Duration EVERY = Duration.ofMillis(500);

    private final HttpServer server;
    private final List<ServiceClient> peers;
    private final Clock clock;
    private Instant next = Instant.MIN;

    /**
     * A guard.
     *
     * @param peers whose credentials are looked after too
     */
    public HttpMaintenanceAgent(HttpServer server, List<ServiceClient> peers, Clock clock) {
        this.server = server;
        this.peers = List.copyOf(peers);
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "guard";
    }

    @Override
    public int doWork() {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            return 0;
        }
        next = now.plus(EVERY);
        server.refreshSecurity();
        peers.forEach(ServiceClient::refresh);
        return server.closeSlowClients(now);
    }
}
