package dev.tidemark.worker.clocks;

import java.time.Instant;

/** What the writer's commit clock shows, as far as this process knows. For any thread; must not block. */
@FunctionalInterface
public interface WriterTime {
    /** Both clocks show the same: good where nothing better is known. */
    WriterTime SAME = local -> local;

    /** What the writer's clock showed when this process's clock showed the given time. */
    Instant at(Instant local);
}
