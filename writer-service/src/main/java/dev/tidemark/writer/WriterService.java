package dev.tidemark.writer;

import java.util.ArrayDeque;
import java.util.Deque;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been opened, to be closed in the opposite order. A part that cannot be closed does not keep the rest open. */
final class WriterService implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(WriterService.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds a part, to be closed before those added earlier. */
    <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                LOGGER.error("A part of the service could not be closed", e);
            }
        }
    }
}
