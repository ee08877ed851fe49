package dev.tidemark.writer.define;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.runtime.Agent;

/**
 * Publishes the definitions in force: at once when they change, and again when the log has lost them, for which it looks
 * every 10 seconds. While the log does not answer it tries again twice a second.
 */
public final class DefinitionPublisher implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(DefinitionPublisher.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

    private final DefinitionDesk desk;
    private final DefinitionLog log;
    private final Clock clock;
    private long published;
    private Instant lookAt = Instant.MIN;
    private boolean failing;

    public DefinitionPublisher(DefinitionDesk desk, DefinitionLog log, Clock clock) {
        this.desk = desk;
        this.log = log;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "definitions";
    }

    @Override
    public int doWork() throws InterruptedException {
        Instant now = clock.instant();
        boolean look = !now.isBefore(lookAt);
        boolean changed = !failing && desk.current().version() != published;
        if (!look && !changed) {
            return 0;
        }
        try {
            if (look) {
                look();
            }
            publish();
            lookAt = look ? now.plus(LOOK_AGAIN) : lookAt;
            failing = false;
            return 1;
        } catch (LogUnavailableException e) {
            if (!failing) {
                LOGGER.info("The definitions cannot be published at the moment: {}", e.getMessage());
            }
            failing = true;
            desk.cannotConfirm(String.valueOf(e.getMessage()));
            lookAt = now.plus(AFTER_FAILURE);
            return 0;
        }
    }

    private void look() throws LogUnavailableException, InterruptedException {
        Optional<Definitions> found = log.find();
        if (found.isPresent()) {
            adopt(found.get());
        }
        desk.confirm();
        published = found.map(Definitions::version).orElse(0L);
    }

    private void adopt(Definitions found) throws LogUnavailableException {
        try {
            desk.adopt(found);
        } catch (BadDefinitionsException e) {
            throw new LogUnavailableException(
                    "version " + found.version() + ", which was published, cannot be joined with the tables here: "
                            + e.getMessage(),
                    e);
        }
    }

    private void publish() throws LogUnavailableException, InterruptedException {
        Definitions current = desk.current();
        if (current.version() > published) {
            log.publish(current);
            published = current.version();
        }
    }
}
