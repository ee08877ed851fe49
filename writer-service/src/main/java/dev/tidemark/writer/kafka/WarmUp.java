package dev.tidemark.writer.kafka;

import java.time.Clock;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;
import dev.tidemark.writer.catalog.DefinitionSeal;
import dev.tidemark.writer.catalog.LogUnavailableException;
import dev.tidemark.writer.leader.ClaimSeal;

/** Uses the Kafka clients of a standby once before it has to take over, because their first use takes long. */
public final class WarmUp implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(WarmUp.class);

    /** No deployment has this seal, so no claim is taken for one of this process. */
    private static final ClaimSeal NO_SEAL = new ClaimSeal("", new DefinitionSeal("00"));

    private final KafkaClientSettings settings;
    private final Clock clock;
    private boolean done;

    public WarmUp(KafkaClientSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "warm-up";
    }

    @Override
    public int doWork() throws InterruptedException {
        if (!done) {
            try (AdminConnection admin = new AdminConnection(settings);
                    KafkaClaimLog log = new KafkaClaimLog(admin, settings, NO_SEAL, Optional.empty(), clock)) {
                log.last();
                done = true;
            } catch (LogUnavailableException e) {
                LOGGER.debug("No broker answers a standby yet", e);
            }
        }
        return 0;
    }
}
