package dev.tidemark.worker.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

/** Finds the generations that wait to be proven equal to their tables. */
final class FirstVerificationQueue {
    /** How long shards that are whole wait for the others, to be proven in the same pass. */
    private static final Duration TOGETHER = Duration.ofSeconds(5);

    private final LocalGenerations held;
    private final Map<String, Instant> notBefore = new HashMap<>();
    private final Map<Long, Instant> seen = new HashMap<>();

    /** Generations of one table, and the shards that they wait in. */
    record Due(VerifyRequest request, List<OpenShard> shards) {}

    FirstVerificationQueue(LocalGenerations held) {
        this.held = held;
    }

    /** What to prove next; empty when nothing waits. */
    Optional<Due> next(Instant now) {
        for (DesiredTable table : held.tables()) {
            if (!now.isBefore(notBefore.getOrDefault(table.name(), Instant.MIN))) {
                Optional<Due> due = of(table, now);
                if (due.isPresent()) {
                    return due;
                }
            }
        }
        return Optional.empty();
    }

    /** Leaves the table alone until then. */
    void leave(Due due, Instant until) {
        notBefore.put(due.request().table().name(), until);
    }

    private Optional<Due> of(DesiredTable table, Instant now) {
        List<OpenShard> shards = held.shards(table);
        for (Generation generation : table.generations()) {
            List<OpenShard> waiting = shards.stream()
                    .filter(shard ->
                            LocalGenerations.is(shard, generation, state -> state instanceof GenerationState.Verifying))
                    .toList();
            if (waiting.isEmpty()) {
                seen.remove(generation.id());
                continue;
            }
            Instant since = seen.computeIfAbsent(generation.id(), id -> now);
            boolean othersCome = shards.stream()
                    .anyMatch(shard -> LocalGenerations.is(shard, generation, FirstVerificationQueue::comes));
            if (!othersCome || Duration.between(since, now).compareTo(TOGETHER) >= 0) {
                return Optional.of(due(table, waiting));
            }
        }
        return Optional.empty();
    }

    private static Due due(DesiredTable table, List<OpenShard> waiting) {
        List<Generation> generations = table.generations().stream()
                .filter(generation -> waiting.stream()
                        .allMatch(shard -> LocalGenerations.is(
                                shard, generation, state -> state instanceof GenerationState.Verifying)))
                .toList();
        return new Due(new VerifyRequest(table.definition(), generations, Mode.PROOF), waiting);
    }

    private static boolean comes(GenerationState state) {
        return state instanceof GenerationState.Building || state instanceof GenerationState.Rebuilding;
    }
}
