package dev.tidemark.writer.commit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the fact tables were found damaged while they are open. Then no write is taken any more: nothing that is
 * committed to them could be relied on. For any thread.
 */
public final class FactsDamage {
    /** What to do about damage, for people. */
    public static final String REMEDY =
            "stop the writer and put a good copy of the fact tables back, such as a backup of its data directory with"
                    + " tidemark restore --from BACKUP --data DATA, or a backup of the PostgreSQL database";

    private static final Logger LOGGER = LoggerFactory.getLogger(FactsDamage.class);

    private final AtomicReference<@Nullable String> found = new AtomicReference<>();

    /** Records damage; the first that is found is kept. */
    public void found(String what) {
        if (found.compareAndSet(null, what)) {
            LOGGER.error("The fact tables are damaged, and no write is taken any more: {}; {}", what, REMEDY);
        }
    }

    /** Why no write is taken any more; empty while all is well. */
    public Optional<String> refusal() {
        return Optional.ofNullable(found.get()).map(FactsDamage::describe);
    }

    /** What went wrong and what to do about it, for people. */
    static String describe(String what) {
        return "the fact tables are damaged: " + what + "; " + REMEDY;
    }
}
