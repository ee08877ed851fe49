package dev.tidemark.deploy.drill.load;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import dev.tidemark.deploy.drill.history.Findings;
import dev.tidemark.deploy.drill.history.Findings.Kind;
import dev.tidemark.deploy.drill.outside.DrillTarget;
import dev.tidemark.deploy.drill.outside.Reply;
import dev.tidemark.runtime.Agent;

/**
 * Brings one catalog after the other in force, so that indexes are always being built, verified, switched and dropped. Its
 * steps exclude each other; any thread may ask which catalog is the newest.
 */
final class Redefiner implements Agent {
    private static final Duration EVERY = Duration.ofMillis(1_500);

    private final DrillTarget target;
    private final Findings findings;
    private final Clock clock;
    private final Gate gate;
    private Instant next;
    private final AtomicInteger number = new AtomicInteger();

    Redefiner(DrillTarget target, Findings findings, Clock clock, Gate gate) {
        this.target = target;
        this.findings = findings;
        this.clock = clock;
        this.gate = gate;
        this.next = clock.instant().plus(EVERY);
    }

    @Override
    public String roleName() {
        return "drill-redefiner";
    }

    @Override
    public int doWork() throws InterruptedException {
        if (clock.instant().isBefore(next) || !gate.enter()) {
            return 0;
        }
        try {
            number.incrementAndGet();
            bringInForce();
            next = clock.instant().plus(EVERY);
        } finally {
            gate.leave();
        }
        return 0;
    }

    /** The catalog that was sent last; whether it is in force is known after {@link #bringInForce()} only. */
    String catalog() {
        return DrillTables.catalog(number.get());
    }

    /** Brings that catalog in force; false when the writer does not say that it is. */
    synchronized boolean bringInForce() throws InterruptedException {
        try {
            Reply now = target.writer("/v1/catalog");
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
