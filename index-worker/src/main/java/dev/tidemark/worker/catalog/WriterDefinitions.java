package dev.tidemark.worker.catalog;

import dev.tidemark.catalog.Definitions;

/** The writer, which alone knows what is in force. */
@FunctionalInterface
public interface WriterDefinitions {
    /**
     * The definitions in force. May block for seconds.
     *
     * @throws WriterUnavailableException when the writer does not return them
     */
    Definitions ask() throws WriterUnavailableException, InterruptedException;
}
