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

/**
 * Brings one catalog after the other in force, so that indexes are always being built, verified, switched and dropped.
 * Every second catalog comes while the one before is still being built; the others wait until it is, or else a slow
 * machine would never come to the end of a build. Its steps exclude each other; any thread may ask which catalog is the
 * newest.
 */
final class SchemaChanger {
    private static final Duration EVERY = Duration.ofMillis(1_500);

    /** A build that is stuck is not to keep others from being begun. */
    private static final Duration BUILD_PATIENCE = Duration.ofSeconds(30);

    private final DrillTarget target;
    private final DrillFindings findings;
    private final Clock clock;
    private Instant next;
    private Instant latest;
    private final AtomicInteger number = new AtomicInteger();

    SchemaChanger(DrillTarget target, DrillFindings findings, Clock clock) {
        this.target = target;
        this.findings = findings;
        this.clock = clock;
        this.next = clock.instant().plus(EVERY);
        this.latest = next;
    }

    /** Brings the next catalog in force, where its time has come. */
    void change() throws InterruptedException {
        Instant now = clock.instant();
        try {
            if (now.isBefore(next) || (now.isBefore(latest) && !isBuilt())) {
                return;
            }
            boolean waits = number.incrementAndGet() % 2 == 1;
            next = now.plus(EVERY);
            latest = waits ? next.plus(BUILD_PATIENCE) : next;
            bringInForce();
        } catch (IOException e) {
            // A service is away; the next catalog comes in its time.
        }
    }

    /** Whether the worker says of every index that the generation which is wanted answers. */
    private boolean isBuilt() throws IOException, InterruptedException {
        Reply reply = target.worker().get("/v1/indexes");
        boolean built = reply.ok();
        for (JsonNode index : reply.json().path("indexes")) {
            built &= index.path("life").path("serves").asBoolean();
        }
        return built;
    }

    /** The catalog that was sent last; whether it is in force is known after {@link #bringInForce()} only. */
    String catalog() {
        return DrillTables.catalog(number.get());
    }

    /** Brings that catalog in force; false when the writer does not say that it is. */
    synchronized boolean bringInForce() throws IOException, InterruptedException {
        Reply now = target.writer().get("/v1/catalog");
        boolean done = now.ok()
                && target.define(catalog(), now.json().path("version").asText()).ok();
        findings.count(Kind.DEFINED, done ? 1 : 0);
        return done;
    }
}
