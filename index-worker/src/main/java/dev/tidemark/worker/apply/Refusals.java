package dev.tidemark.worker.apply;

import java.util.Optional;

/**
 * What a shard has read and not believed since it was opened: heartbeats that cannot be read or cannot be true, and commit times
 * that the writer's clock has not come to. None of it is about the content of a row, so none of it is in quarantine.
 *
 * @param count how many
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
