package dev.tidemark.worker.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.ShardId;

/**
 * How fast shards move through the writer's versions, from what was seen of them whenever somebody asked for a row: the
 * first question in a while finds no pace, the next one does. For any thread.
 */
final class Pace {
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofSeconds(30);

    private final Map<ShardId, Mark> marks = new ConcurrentHashMap<>();

    private record Mark(RowVersion through, Instant at, OptionalDouble perSecond) {}

    /** Takes note of where a shard is, and tells how many versions a second it has moved since it was seen before. */
    OptionalDouble seen(ShardId shard, RowVersion through, Instant now) {
        Mark fresh = new Mark(through, now, OptionalDouble.empty());
        return marks.merge(shard, fresh, Pace::next).perSecond();
    }

    private static Mark next(Mark before, Mark now) {
        Duration passed = Duration.between(before.at(), now.at());
        if (passed.compareTo(LEAST) < 0) {
            return before;
        }
        if (passed.compareTo(MOST) > 0
                || now.through().epoch() != before.through().epoch()) {
            return now;
        }
        double moved = now.through().sequence() - before.through().sequence();
        return new Mark(now.through(), now.at(), OptionalDouble.of(moved / (passed.toNanos() / 1e9)));
    }
}
