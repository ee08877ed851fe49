package dev.tidemark.worker.consume;

import java.time.Duration;

import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;

/** Works on one thread's share of the shards, a batch of each in turn. Closes what is left when it ends. */
public final class ApplyAgent implements Agent {
    private final int number;
    private final Shards shards;
    private final Duration patience;

    /**
     * The agent of one thread.
     *
     * @param patience how long a step waits for work when there is none
     */
    public ApplyAgent(int number, Shards shards, Duration patience) {
        this.number = number;
        this.shards = shards;
        this.patience = patience;
    }

    @Override
    public String roleName() {
        return "apply-" + number;
    }

    @Override
    public int doWork() throws InterruptedException {
        int done = step();
        if (done == 0) {
            shards.awaitWork(number, patience);
        }
        return done;
    }

    @Override
    public void onClose() {
        shards.share(number).forEach(OpenShard::requestClose);
        try {
            while (step() > 0 || !shards.share(number).isEmpty()) {
                shards.awaitWork(number, patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int step() {
        int done = 0;
        for (OpenShard shard : shards.share(number)) {
            done += shard.doWork();
            if (shard.isClosed()) {
                shards.forget(number, shard);
            }
        }
        return done;
    }
}
