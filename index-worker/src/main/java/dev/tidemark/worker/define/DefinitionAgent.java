package dev.tidemark.worker.define;

import java.time.Duration;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.runtime.Agent;

/** Reads the definitions as they are published. */
public final class DefinitionAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(DefinitionAgent.class);
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final DefinitionSource source;
    private final FollowedDefinitions followed;
    private boolean failing;

    public DefinitionAgent(DefinitionSource source, FollowedDefinitions followed) {
        this.source = source;
        this.followed = followed;
    }

    @Override
    public String roleName() {
        return "definitions";
    }

    @Override
    public int doWork() throws InterruptedException {
        Optional<Definitions> read = read();
        if (read.isEmpty()) {
            return 0;
        }
        if (followed.offer(read.get())) {
            LOGGER.info("Version {} of the definitions is in force", read.get().version());
        } else {
            LOGGER.warn(
                    "Version {} of the definitions was published, which is not newer than version {} and stays without"
                            + " effect",
                    read.get().version(),
                    followed.get().version());
        }
        return 1;
    }

    @Override
    public void onClose() {
        source.close();
    }

    private Optional<Definitions> read() throws InterruptedException {
        try {
            Optional<Definitions> read = source.poll(PATIENCE);
            failing = false;
            return read;
        } catch (RuntimeException e) {
            if (!failing) {
                LOGGER.warn("The definitions cannot be read at the moment; those that are known stay in force", e);
            }
            failing = true;
            return Optional.empty();
        }
    }
}
