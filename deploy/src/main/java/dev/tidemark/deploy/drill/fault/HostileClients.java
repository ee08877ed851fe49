package dev.tidemark.deploy.drill.fault;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.deploy.drill.history.Findings;
import dev.tidemark.deploy.drill.hostile.Flood;
import dev.tidemark.deploy.drill.hostile.Scripts;
import dev.tidemark.deploy.stack.Role;

/**
 * Hostile clients flood both services. The usual clients and the prober go on meanwhile; a service that ends is noticed by its
 * crew, and one that accepts what it must refuse, or does not say in time that it is alive, is a finding here.
 */
final class HostileClients implements Ordeal {
    private static final int CONNECTIONS = 200;
    private static final String TABLE = "people";
    private static final String KEY_FIELD = "personId";
    private static final String INDEX = "by_customer";

    /** Long, because the machine has the flood to run as well. */
    private static final Duration HEALTH_PATIENCE = Duration.ofSeconds(5);

    private final URI writer;
    private final URI worker;
    private final Crew crew;
    private final Findings findings;
    private final List<Flood> floods = new ArrayList<>();
    private boolean hit;

    HostileClients(URI writer, URI worker, Crew crew, Findings findings) {
        this.writer = writer;
        this.worker = worker;
        this.crew = crew;
        this.findings = findings;
    }

    @Override
    public boolean begin(Role role, Instant now) {
        if (!crew.isServing(Role.WRITER) || !crew.isServing(Role.WORKER)) {
            return false;
        }
        floods.add(new Flood(
                Role.WRITER.label(),
                writer,
                new Scripts(writer.getAuthority()).forWriter(TABLE, KEY_FIELD),
                CONNECTIONS));
        floods.add(new Flood(
                Role.WORKER.label(), worker, new Scripts(worker.getAuthority()).forWorker(TABLE, INDEX), CONNECTIONS));
        return true;
    }

    @Override
    public void tick(Instant now) {
        floods.forEach(flood -> flood.tick(now));
    }

    @Override
    public boolean end() {
        hit = floods.stream().allMatch(Flood::hasHit);
        floods.forEach(flood -> findings.differ(flood.findings(HEALTH_PATIENCE)));
        floods.forEach(Flood::close);
        floods.clear();
        return true;
    }

    @Override
    public boolean hasHit() {
        return hit;
    }
}
