package dev.tidemark.writer.catalog;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.runtime.Agent;
import dev.tidemark.writer.failpoint.WriterFailpoint;

/**
 * Publishes the definitions in force: at once when they change, and again when the log has lost them or ends with an
 * unusable record. It reads the log every 10 seconds. While the log or the store of the definitions fails, it tries
 * again twice a second.
 *
 * <p>A log has one owner. When it ends with a record of another deployment, or another writer of this deployment has
 * continued from here, nothing is published. Definitions are then not changed until an operator corrects that.
 */
public final class DefinitionPublisher implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(DefinitionPublisher.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

    private final CatalogRegistry registry;
    private final DefinitionLog log;
    private final LongSupplier epoch;
    private final Supplier<Optional<String>> refusal;
    private final Clock clock;
    private final DefinitionSeal seal;
    private long handledVersion;
    private long handledEpoch;

    /**
     * What was published before this process began to publish may be of a later epoch than its fact tables are in by
     * now.
     */
    private long leastEpoch;

    private Instant lookAt = Instant.MIN;

    /** Why the last look failed; empty when it did not. */
    private String failure = "";

    private String said = "";

    /**
     * A publisher that has not looked yet.
     *
     * @param epoch gives that of the fact tables
     * @param refusal why this process may not publish at the moment; empty when it may
     */
    public DefinitionPublisher(
            CatalogRegistry registry,
            DefinitionLog log,
            LongSupplier epoch,
            Supplier<Optional<String>> refusal,
            Clock clock) {
        this.refusal = refusal;
        this.registry = registry;
        this.log = log;
        this.epoch = epoch;
        this.clock = clock;
        this.seal = new DefinitionSeal(registry.secret());
    }

    @Override
    public String roleName() {
        return "definitions";
    }

    @Override
    public int doWork() throws InterruptedException {
        Optional<String> refused = refusal.get();
        if (refused.isPresent()) {
            registry.publishing().unavailable(refused.get());
            // A look is what takes the refusal back once it has passed.
            lookAt = Instant.MIN;
            return 0;
        }
        Instant now = clock.instant();
        boolean changed =
                failure.isEmpty() && (registry.current().version() != handledVersion || present() != handledEpoch);
        if (!changed && now.isBefore(lookAt)) {
            return 0;
        }
        try {
            look();
            lookAt = now.plus(LOOK_AGAIN);
            failure = "";
            return 1;
        } catch (LogUnavailableException | UnconfirmedException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(failure)) {
                LOGGER.info("The definitions cannot be published at the moment: {}", why);
            }
            tryAgain(why, now);
        } catch (RuntimeException e) {
            // The store of the definitions fails too: its database restarts, or its disk is full.
            String why = e.toString();
            if (!why.equals(failure)) {
                LOGGER.error("Publishing the definitions failed", e);
            }
            tryAgain(why, now);
        }
        return 0;
    }

    private void tryAgain(String why, Instant now) {
        failure = why;
        registry.publishing().unavailable(why);
        lookAt = now.plus(AFTER_FAILURE);
    }

    private void look() throws LogUnavailableException, UnconfirmedException, InterruptedException {
        LogSummary found = new LogSummary(seal, registry.settled());
        log.read(found::add);
        if (!registry.publishing().isConfirmed()) {
            leastEpoch = Math.max(leastEpoch, found.epoch());
        }
        long present = present();
        Optional<String> foreign = foreign(found, present);
        if (foreign.isPresent()) {
            String reason = foreign.get();
            sayOnce(reason);
            registry.publishing().refuse(reason);
            handled(registry.current(), present);
            return;
        }
        confirm();
        Definitions current = registry.current();
        if (found.last() == LogSummary.Last.WORTHLESS) {
            sayOnce("the topic of definitions is published over: it ends with " + found.about());
        } else {
            said = "";
        }
        boolean there = found.last() == LogSummary.Last.OWN
                && found.own().equals(Optional.of(current))
                && found.epoch() == present;
        if (!there) {
            String json = new String(DefinitionsJson.write(current), StandardCharsets.UTF_8);
            log.publish(seal.seal(json, present), current.version());
            WriterFailpoint.DEFINE_PUBLISHED.hit();
        }
        registry.publishing().published(current.version());
        handled(current, present);
    }

    /** Why this writer does not own the log; empty when it does, and what it published in the past is in force then. */
    private Optional<String> foreign(LogSummary found, long present) {
        Definitions current = registry.current();
        if (found.last() == LogSummary.Last.FOREIGN) {
            return Optional.of("the topic of definitions ends with " + found.about());
        }
        if (found.own().isEmpty()) {
            return Optional.empty();
        }
        Definitions own = found.own().get();
        if (!registry.publishing().isConfirmed()) {
            return registry.adopt(own);
        }
        boolean other = own.version() > current.version()
                || (own.version() == current.version() && !own.equals(current))
                || found.epoch() > present;
        return other
                ? Optional.of("another writer of this deployment published version " + own.version() + " in epoch "
                        + found.epoch() + ", and this writer is at version " + current.version() + " in epoch "
                        + present
                        + ". Stop one of the two")
                : Optional.empty();
    }

    private void confirm() throws LogUnavailableException {
        try {
            registry.confirm();
        } catch (BadDefinitionsException e) {
            throw new LogUnavailableException(
                    "what was published cannot be joined with the new tables of the catalog file: " + e.getMessage(),
                    e);
        }
    }

    private long present() {
        return Math.max(leastEpoch, epoch.getAsLong());
    }

    private void handled(Definitions current, long present) {
        handledVersion = current.version();
        handledEpoch = present;
    }

    private void sayOnce(String what) {
        if (!what.equals(said)) {
            said = what;
            LOGGER.error("Definitions: {}", what);
        }
    }
}
