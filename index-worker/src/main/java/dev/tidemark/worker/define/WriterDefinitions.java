package dev.tidemark.worker.define;

import dev.tidemark.catalog.Definitions;

/** The writer, which alone knows what is in force. */
@FunctionalInterface
public interface WriterDefinitions {
    /**
     * The definitions in force. May block for seconds.
     *
     * @throws WriterSilentException when the writer does not say
     */
    Definitions ask() throws WriterSilentException, InterruptedException;
}
