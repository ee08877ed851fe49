package dev.tidemark.deploy.drill.hostile;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Many hostile clients of one service, and a watch on its health. Never waits. For one thread, which ticks it all the
 * time.
 */
public final class Flood implements AutoCloseable {
    private static final Duration BETWEEN_CONNECTIONS = Duration.ofMillis(500);
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(100);

    private final String service;
    private final Map<HostileClient, Script> clients = new LinkedHashMap<>();
    private final HostileClient health;
    private Duration longest = Duration.ZERO;

    /**
     * A flood that begins with its first tick.
     *
     * @param connections how many there are at a time; the scripts take turns
     */
    public Flood(String service, URI url, List<Script> scripts, int connections) {
        this.service = service;
        InetSocketAddress address = new InetSocketAddress(url.getHost(), url.getPort());
        this.health = new HostileClient(address, Script.health(url.getAuthority()), BETWEEN_QUESTIONS);
        for (int i = 0; i < connections; i++) {
            Script script = scripts.get(i % scripts.size());
            clients.put(new HostileClient(address, script, BETWEEN_CONNECTIONS), script);
        }
    }

    /** Goes on as far as it can at once. */
    public void tick(Instant now) {
        clients.keySet().forEach(client -> client.tick(now));
        health.tick(now);
        Duration waiting = health.lasting(now);
        longest = longest.compareTo(waiting) < 0 ? waiting : longest;
    }

    /** Whether every client was connected at least once. */
    public boolean hasHit() {
        return clients.keySet().stream().allMatch(client -> client.connections() > 0);
    }

    /**
     * What the service did wrong.
     *
     * @param patience longest time that a question about its health may take
     */
    public List<String> findings(Duration patience) {
        Set<String> found = new LinkedHashSet<>();
        clients.forEach((client, script) -> {
            if (client.wasAccepted()) {
                found.add("the " + service + " accepted what it must refuse: " + script.name());
            }
        });
        if (longest.compareTo(patience) > 0) {
            found.add("the " + service + " did not say for " + longest.toMillis() + " ms whether it is alive, while "
                    + clients.size() + " hostile clients were connected");
        }
        return List.copyOf(found);
    }

    @Override
    public void close() {
        clients.keySet().forEach(HostileClient::close);
        health.close();
    }
}
