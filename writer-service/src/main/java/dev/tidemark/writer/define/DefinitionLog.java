package dev.tidemark.writer.define;

import java.util.Optional;

import dev.tidemark.catalog.Definitions;

/** Where the definitions in force are published; for the publisher alone. Each call blocks for seconds at most. */
public interface DefinitionLog {
    /**
     * What was published last; empty when there is nothing, or nothing that can be read as definitions.
     *
     * @throws LogUnavailableException when the log does not tell
     */
    Optional<Definitions> find() throws LogUnavailableException, InterruptedException;

    /**
     * Publishes, making the place for it where it is absent. Once this returns, {@link #find()} finds it.
     *
     * @throws LogUnavailableException when it was not acknowledged, and may be published or not
     */
    void publish(Definitions definitions) throws LogUnavailableException, InterruptedException;
}
