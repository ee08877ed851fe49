package dev.tidemark.writer.commit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the disk failed at a write of the fact tables. The content of the disk is then unknown for that write.
 * Another sync does not settle it, because a sync may succeed without having written anything. So no further write is
 * accepted, and the writer has to open the fact tables again. Opening them writes the content of their write-ahead log
 * once more. For any thread.
 */
public final class DiskFailure {
    private static final Logger LOGGER = LoggerFactory.getLogger(DiskFailure.class);

    private final AtomicReference<@Nullable String> found = new AtomicReference<>();

    /** Records a failed write; the first one is kept. */
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
