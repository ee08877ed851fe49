package dev.tidemark.worker.apply;

import java.util.Optional;

/**
 * The records that a shard has refused since it was opened: heartbeats that are malformed or cannot be true, and commit
 * times that the writer's clock has not reached. None of them concerns the content of a row, so none of them is in
 * quarantine.
 *
 * @param count the number of refused records
 * @param last what was wrong with the last one
 */
public record Refusals(long count, Optional<String> last) {
    /** Nothing was refused. */
    public static final Refusals NONE = new Refusals(0, Optional.empty());

    /** One more. */
    Refusals plus(String reason) {
        return new Refusals(count + 1, Optional.of(reason));
    }

    /** Those and later ones. */
    Refusals plus(Refusals later) {
        return later.count == 0 ? this : new Refusals(count + later.count, later.last);
    }
}
