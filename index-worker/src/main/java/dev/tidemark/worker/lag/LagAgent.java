package dev.tidemark.worker.lag;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.store.ShardId;

/** Asks at intervals where the partitions end. While nobody answers, the meter's counts grow old and are withdrawn. */
public final class LagAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(LagAgent.class);

    private final LagMeter meter;
    private final EndOffsets ends;
    private final Duration interval;
    private final Clock clock;
    private Instant next = Instant.MIN;

    public LagAgent(LagMeter meter, EndOffsets ends, Duration interval, Clock clock) {
        this.meter = meter;
        this.ends = ends;
        this.interval = interval;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "lag";
    }

    @Override
    public int doWork() {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            return 0;
        }
        next = now.plus(interval);
        List<LiveShard> shards = List.copyOf(meter.shards().assigned());
        List<ShardId> ids = shards.stream().map(LiveShard::id).toList();
        meter.retain(ids);
        if (ids.isEmpty()) {
            return 0;
        }
        try {
            Map<ShardId, Long> found = ends.endOffsets(ids);
            for (LiveShard shard : shards) {
                Long end = found.get(shard.id());
                if (end != null) {
                    meter.sampled(shard, end, now);
                }
            }
        } catch (RuntimeException e) {
            LOGGER.debug("The brokers do not tell where partitions end", e);
        }
        return 1;
    }
}
