package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.drill.hostile.Flood;
import dev.tidemark.deploy.drill.hostile.Scripts;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/**
 * Hostile clients flood both services. The usual clients and the prober go on meanwhile; a service that ends is noticed
 * by its crew, and one that accepts what it must refuse, or does not say in time that it is alive, is a finding here.
 */
final class HostileClients implements Fault {
    private static final int CONNECTIONS = 200;
    private static final String TABLE = "people";
    private static final String KEY_FIELD = "personId";
    private static final String INDEX = "by_customer";

    /** A table without an oracle: its rows are so large that a page of them reaches the size limit of a page. */
    private static final String LARGE_TABLE = "large";

    private static final String LARGE_INDEX = "large.by_kind";
    private static final int LARGE_ROWS = 900;
    private static final int LARGE_ROW_BYTES = 10 * 1024;
    private static final int LARGE_PAGES = 4;

    /** Long, because the machine has the flood to run as well. */
    private static final Duration HEALTH_PATIENCE = Duration.ofSeconds(5);

    private static final Duration SERVING_WITHIN = Duration.ofSeconds(5);

    /** How long they have to be connected, once what they ask for is loaded. */
    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(20);

    private final FaultEnvironment.FaultContext context;
    private final List<Flood> floods = new ArrayList<>();
    private boolean loaded;
    private Instant begun = Instant.MAX;
    private boolean hit;

    HostileClients(FaultEnvironment.FaultContext context) {
        this.context = context;
    }

    @Override
    public boolean begin(Role role, Instant now) throws InterruptedException {
        // While topics come and go, the worker is between two assignments for moments.
        if (!BoundedWait.until(this::areServing, SERVING_WITHIN, Duration.ofMillis(50)) || !load()) {
            return false;
        }
        URI writer = context.stack().writerUrl();
        URI worker = context.stack().workerUrl();
        Scripts toWorker = new Scripts(worker.getAuthority());
        floods.add(new Flood(
                "writer", writer, new Scripts(writer.getAuthority()).forWriter(TABLE, KEY_FIELD), CONNECTIONS));
        floods.add(new Flood("worker", worker, toWorker.forWorker(TABLE, INDEX), CONNECTIONS));
        floods.add(new Flood("worker", worker, List.of(toWorker.fetchingRows(LARGE_INDEX)), LARGE_PAGES));
        begun = Instant.MAX;
        return true;
    }

    private boolean areServing() {
        ProcessSupervisor supervisor = context.supervisor();
        return supervisor.isServing(Role.WRITER) && supervisor.isServing(Role.WORKER);
    }

    /** Loads the large rows, once. */
    private boolean load() throws InterruptedException {
        String text = "x".repeat(LARGE_ROW_BYTES);
        List<ObjectNode> rows = IntStream.range(0, loaded ? 0 : LARGE_ROWS)
                .mapToObj(id -> RowJson.mapper().createObjectNode().put("id", id))
                .map(row -> row.put("kind", "large").put("text", text))
                .toList();
        try {
            loaded = loaded || context.target().writer().load(LARGE_TABLE, rows).ok();
            return loaded;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void tick(Instant now) {
        begun = begun.isAfter(now) ? now : begun;
        floods.forEach(flood -> flood.tick(now));
    }

    @Override
    public boolean end(Instant now) {
        hit = floods.stream().allMatch(Flood::hasHit);
        // Loading takes a while, and its time may be over when they begin.
        if (!hit && now.minus(CONNECTED_WITHIN).isBefore(begun)) {
            return false;
        }
        floods.forEach(flood -> context.books().findings().differ(flood.findings(HEALTH_PATIENCE)));
        floods.forEach(Flood::close);
        floods.clear();
        return true;
    }

    @Override
    public boolean hasHit() {
        return hit;
    }
}
