package dev.tidemark.worker.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Generation;
import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardId;

/** Has every generation proven that waits for it, one shard after the other, without a writer. */
public final class InstantVerifyAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(InstantVerifyAgent.class);
    private static final Duration AFTER_NOTHING = Duration.ofSeconds(1);

    private final Shards shards;
    private final Prover prover;
    private final Clock clock;
    private final Map<Place, Instant> notBefore = new HashMap<>();

    /** Finds out whether a shard's part of a generation is as it should be. */
    @FunctionalInterface
    public interface Prover {
        VerificationResult prove(OpenShard shard, Generation generation);
    }

    /** A generation in a shard. */
    private record Place(ShardId shard, long generation) {}

    public InstantVerifyAgent(Shards shards, Prover prover, Clock clock) {
        this.shards = shards;
        this.prover = prover;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "proof";
    }

    @Override
    public int doWork() {
        for (OpenShard shard : List.copyOf(shards.assigned())) {
            for (Generation generation :
                    shards.definitions().generations(shard.id().table())) {
                if (isDue(shard, generation.id())) {
                    prove(shard, generation);
                    return 1;
                }
            }
        }
        return 0;
    }

    private boolean isDue(OpenShard shard, long generation) {
        return shard.applied()
                        .flatMap(status -> status.checkpoint().generation(generation))
                        .filter(InstantVerifyAgent::waits)
                        .isPresent()
                && !clock.instant().isBefore(notBefore.getOrDefault(new Place(shard.id(), generation), Instant.MIN));
    }

    private static boolean waits(GenerationStatus status) {
        return status.phase() instanceof GenerationState.Verifying;
    }

    private void prove(OpenShard shard, Generation generation) {
        VerificationResult proof;
        try {
            proof = prover.prove(shard, generation);
        } catch (RuntimeException e) {
            LOGGER.warn("Generation {} of shard {} could not be verified", generation.id(), shard.id(), e);
            proof = new VerificationResult.Undecided(String.valueOf(e.getMessage()));
        }
        notBefore.put(new Place(shard.id(), generation.id()), clock.instant().plus(AFTER_NOTHING));
        VerificationResult found = proof;
        LOGGER.debug("Generation {} of shard {}: {}", generation.id(), shard.id(), found);
        shard.ask(applier -> applier.judge(generation.id(), found));
    }
}
