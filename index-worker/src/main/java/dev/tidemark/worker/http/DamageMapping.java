package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.http.Problem;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardDamagedException;

/** Maps a damaged shard to a retryable problem for the client, and has the shard rebuilt. */
record DamageMapping(Shards shards) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    Optional<Problem> problem(Throwable failure) {
        return failure instanceof ShardDamagedException damage ? Optional.of(rebuilding(damage)) : Optional.empty();
    }

    private Problem rebuilding(ShardDamagedException damage) {
        damage.shard().ifPresent(id -> shards.rebuild(id, String.valueOf(damage.getMessage())));
        String where = damage.shard()
                .map(id -> "partition " + id.partition() + " of table " + id.table())
                .orElse("a partition");
        Problem problem = Problem.retryable(
                503,
                "Shard damaged",
                "what this worker has on disk of " + where + " is damaged; it is built again from its topic",
                RETRY_AFTER);
        ObjectNode members = RowJson.mapper().createObjectNode().put("state", "restoring");
        return problem.with(members);
    }
}
