package dev.tidemark.worker.shard;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Which tables an operator has stopped, and since when. In memory: a worker that is started again follows all. */
final class PausedTables {
    private final Map<String, Instant> since = new ConcurrentHashMap<>();

    void begin(String table, Instant now) {
        since.putIfAbsent(table, now);
    }

    void end(String table) {
        since.remove(table);
    }

    Optional<Instant> since(String table) {
        return Optional.ofNullable(since.get(table));
    }
}
