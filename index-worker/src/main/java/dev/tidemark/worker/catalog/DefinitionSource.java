package dev.tidemark.worker.catalog;

import java.time.Duration;
import java.util.Optional;

import dev.tidemark.catalog.Definitions;

/** Where the definitions are published; for the thread that reads them alone. */
public interface DefinitionSource extends AutoCloseable {
    /**
     * A record.
     *
     * @param definitions empty where they cannot be read, as those of a newer version
     */
    record News(Optional<Definitions> definitions) {}

    /**
     * The newest definitions that were not returned yet. The first ones are returned only once everything is read that
     * was published when reading began.
     *
     * @param patience how long to wait for something new
     * @return empty when there is nothing new
     * @throws RuntimeException when the source cannot be read at the moment
     */
    Optional<News> poll(Duration patience) throws InterruptedException;

    @Override
    void close();
}
