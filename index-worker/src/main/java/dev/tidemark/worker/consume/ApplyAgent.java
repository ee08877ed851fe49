package dev.tidemark.worker.consume;

import java.util.List;

import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;

/** Works on one thread's share of the shards, a batch of each in turn. Closes what is left when it ends. */
public final class ApplyAgent implements Agent {
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
    public int doWork() {
        int done = 0;
        for (LiveShard shard : shards.share(number)) {
            done += shard.doWork();
            if (shard.isClosed()) {
                shards.forget(number, shard);
            }
        }
        return done;
    }

    @Override
    public void onClose() {
        List<LiveShard> rest = shards.share(number);
        rest.forEach(LiveShard::requestClose);
        doWork();
    }
}
