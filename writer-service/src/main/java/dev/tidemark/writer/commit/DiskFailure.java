package dev.tidemark.writer.commit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the disk failed at a write of the fact tables. What it then has of that write cannot be known, not even by another
 * sync, which may succeed without having done anything. So no write is taken any more, and the writer has to open the fact
 * tables anew, which writes what is found in the log once more. For any thread.
 */
public final class DiskFailure {
    private static final Logger LOGGER = LoggerFactory.getLogger(DiskFailure.class);

    private final AtomicReference<@Nullable String> found = new AtomicReference<>();

    /** Takes note of a failed write; the first one is kept. */
    public void found(String what) {
        if (found.compareAndSet(null, what)) {
            LOGGER.error("The disk of the fact tables failed, and no write is taken any more: {}", what);
        }
    }

    /** Why no write is taken any more; empty while all is well. */
    public Optional<String> refusal() {
        return Optional.ofNullable(found.get())
                .map(what -> "the disk failed at a write, and the writer has to start again: " + what);
    }
}
