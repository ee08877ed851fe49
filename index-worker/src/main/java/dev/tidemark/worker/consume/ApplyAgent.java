package dev.tidemark.worker.consume;

import java.time.Duration;

import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;

/** Works on one thread's share of the shards, a batch of each in turn. Closes what is left when it ends. */
public final class ApplyAgent implements Agent {
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private final int number;
    private final Shards shards;

    public ApplyAgent(int number, Shards shards) {
        this.number = number;
        this.shards = shards;
    }

    @Override
    public String roleName() {
        return "apply-" + number;
    }

    @Override
    public int doWork() throws InterruptedException {
        int done = step();
        if (done == 0) {
            shards.awaitWork(number, PATIENCE);
        }
        return done;
    }

    @Override
    public void onClose() {
        shards.share(number).forEach(LiveShard::requestClose);
        step();
    }

    private int step() {
        int done = 0;
        for (LiveShard shard : shards.share(number)) {
            done += shard.doWork();
            if (shard.isClosed()) {
                shards.forget(number, shard);
            }
        }
        return done;
    }
}
