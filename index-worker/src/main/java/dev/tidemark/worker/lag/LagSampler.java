package dev.tidemark.worker.lag;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;

/** Reads the end offsets of the partitions, at each run. A record count without a new end offset expires. */
public final class LagSampler implements Runnable {
    private static final Logger LOGGER = LoggerFactory.getLogger(LagSampler.class);

    private final LagMeter meter;
    private final EndOffsets ends;
    private final Clock clock;
    private Set<ShardId> endless = Set.of();

    public LagSampler(LagMeter meter, EndOffsets ends, Clock clock) {
        this.meter = meter;
        this.ends = ends;
        this.clock = clock;
    }

    @Override
    public void run() {
        Instant now = clock.instant();
        List<OpenShard> shards = List.copyOf(meter.shards().assigned());
        List<ShardId> ids = shards.stream().map(OpenShard::id).toList();
        meter.retain(ids);
        if (ids.isEmpty()) {
            return;
        }
        try {
            EndOffsets.Ends answers = ends.endOffsets(ids);
            report(answers.unanswered());
            for (OpenShard shard : shards) {
                Long end = answers.found().get(shard.id());
                if (end != null) {
                    meter.sampled(shard, end, now);
                }
            }
        } catch (RuntimeException e) {
            LOGGER.debug("The brokers cannot be asked where partitions end", e);
        }
    }

    /** Writes which partitions have no end, where that has changed. */
    private void report(Map<ShardId, String> unanswered) {
        if (unanswered.keySet().equals(endless)) {
            return;
        }
        endless = Set.copyOf(unanswered.keySet());
        if (endless.isEmpty()) {
            LOGGER.info("The brokers give the end of every partition again");
        } else {
            LOGGER.warn("The brokers do not give the end of these partitions: {}", unanswered);
        }
    }
}
