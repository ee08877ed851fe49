package dev.tidemark.deploy.drill.load;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.drill.history.DrillFindings;
import dev.tidemark.deploy.drill.history.DrillFindings.Kind;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.target.Reply;
import dev.tidemark.runtime.Agent;

/**
 * Brings one catalog after the other in force, so that indexes are always being built, verified, switched and dropped.
 * Every second catalog comes while the one before is still being built; the others wait until it is, or else a slow
 * machine would never come to the end of a build. Its steps exclude each other; any thread may ask which catalog is the
 * newest.
 */
final class SchemaChanger implements Agent {
    private static final Duration EVERY = Duration.ofMillis(1_500);

    /** A build that is stuck is not to keep others from being begun. */
    private static final Duration BUILD_PATIENCE = Duration.ofSeconds(30);

    private final DrillTarget target;
    private final DrillFindings findings;
    private final Clock clock;
    private final ClientGate gate;
    private Instant next;
    private Instant latest;
    private final AtomicInteger number = new AtomicInteger();

    SchemaChanger(DrillTarget target, DrillFindings findings, Clock clock, ClientGate gate) {
        this.target = target;
        this.findings = findings;
        this.clock = clock;
        this.gate = gate;
        this.next = clock.instant().plus(EVERY);
        this.latest = next;
    }

    @Override
    public String roleName() {
        return "drill-redefiner";
    }

    @Override
    public int doWork() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(next) || !gate.enter()) {
            return 0;
        }
        try {
            if (now.isBefore(latest) && !isBuilt()) {
                return 0;
            }
            boolean waits = number.incrementAndGet() % 2 == 1;
            bringInForce();
            next = clock.instant().plus(EVERY);
            latest = waits ? next.plus(BUILD_PATIENCE) : next;
        } finally {
            gate.leave();
        }
        return 0;
    }

    /** Whether the worker says of every index that the generation which is wanted answers. */
    private boolean isBuilt() throws InterruptedException {
        try {
            Reply reply = target.worker().get("/v1/indexes");
            if (!reply.ok()) {
                return false;
            }
            for (JsonNode index : reply.json().path("indexes")) {
                if (!index.path("life").path("serves").asBoolean()) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The catalog that was sent last; whether it is in force is known after {@link #bringInForce()} only. */
    String catalog() {
        return DrillTables.catalog(number.get());
    }

    /** Brings that catalog in force; false when the writer does not say that it is. */
    synchronized boolean bringInForce() throws InterruptedException {
        try {
            Reply now = target.writer().get("/v1/catalog");
            Reply reply = now.ok()
                    ? target.define(catalog(), now.json().path("version").asText())
                    : now;
            if (reply.ok()) {
                findings.count(Kind.DEFINED, 1);
            }
            return reply.ok();
        } catch (IOException e) {
            return false;
        }
    }
}
