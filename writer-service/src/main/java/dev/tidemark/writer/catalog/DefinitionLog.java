package dev.tidemark.writer.catalog;

import java.util.function.Consumer;

/** Where the definitions in force are published; for the publisher alone. Each call blocks for seconds at most. */
public interface DefinitionLog {
    /**
     * Shows every record that there is, oldest first.
     *
     * @throws LogUnavailableException when the log cannot be read to its end
     */
    void read(Consumer<LoggedDefinitions> reader) throws LogUnavailableException, InterruptedException;

    /**
     * Publishes, making the place for it where it is absent. Once this returns, {@link #read} shows it.
     *
     * @param version of what is published
     * @throws LogUnavailableException when it was not acknowledged, and may be published or not
     */
    void publish(LoggedDefinitions message, long version) throws LogUnavailableException, InterruptedException;
}
