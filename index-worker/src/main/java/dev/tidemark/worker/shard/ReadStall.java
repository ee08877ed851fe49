package dev.tidemark.worker.shard;

import java.time.Instant;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.worker.store.ShardId;

/**
 * A shard that cannot be read on, from when that is found until another reading of it begins, as when it is built
 * again, which its topic may not allow yet. Any thread begins it; the rest is for the apply thread.
 */
final class ReadStall {
    private static final Logger LOGGER = LoggerFactory.getLogger(ReadStall.class);

    private static final String OURS = "dev.tidemark.";

    private final ShardId id;
    private final ShardOpener opener;
    private final ShardStoreHandle handle;
    private final RetrySchedule asking = new RetrySchedule();
    private volatile Found found = new Found("", -1);
    private String said = "";

    /** Why a reading cannot go on. */
    private record Found(String reason, long reading) {}

    /** A shard that can be read. */
    ReadStall(ShardId id, ShardOpener opener, ShardStoreHandle handle) {
        this.id = id;
        this.opener = opener;
        this.handle = handle;
    }

    /** A reading of the shard cannot go on. */
    void begin(String why, long reading) {
        found = new Found(why, reading);
    }

    /** Has the shard built again, because it cannot be read on. */
    RebuildPolicy.Rebuild rebuild() {
        return new RebuildPolicy.Rebuild(found.reason(), false);
    }

    /**
     * Begins to ask whether the shard can be built again, where that is due.
     *
     * @param reading the present one; what was found of an earlier one counts no more
     */
    boolean ask(Instant now, long reading) {
        if (found.reading() != reading || !asking.isDue(now)) {
            return false;
        }
        handle.ask(() -> opener.requireWhole(id));
        return true;
    }

    /**
     * Takes the answer.
     *
     * @param objection why the shard cannot be built again now
     * @return what to say of the shard; empty when it can be built again
     */
    Optional<String> answered(Optional<Throwable> objection, Instant now) {
        if (objection.isEmpty()) {
            asking.succeeded();
            return Optional.empty();
        }
        asking.failed(now);
        String why = found.reason() + "; it cannot be built again yet: " + reason(objection.get());
        if (!why.equals(said)) {
            LOGGER.warn("Shard {} answers, and is not read: {}", id, why);
        }
        said = why;
        return Optional.of(why);
    }

    private static String reason(Throwable objection) {
        return objection instanceof RuntimeException usual ? shown(usual) : "the worker met an error; see its log";
    }

    /**
     * The words of an exception of ours; of others the kind alone, because they may quote what they were given of a
     * row.
     */
    static String shown(RuntimeException failure) {
        Class<?> kind = failure.getClass();
        return kind.getName().startsWith(OURS)
                ? String.valueOf(failure.getMessage())
                : "the worker met an unexpected " + kind.getSimpleName() + "; see its log";
    }
}
