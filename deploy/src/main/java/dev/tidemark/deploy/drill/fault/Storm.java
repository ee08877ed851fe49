package dev.tidemark.deploy.drill.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

import dev.tidemark.deploy.stack.Role;

/** More workers of the group come and are killed, again and again. */
record Storm(List<SecondWorker> others, Random random) implements Ordeal {
    private static final int LEAST_MILLIS = 1_500;
    private static final int MORE_MILLIS = 3_000;

    @Override
    public boolean begin(Role role, Instant now) throws InterruptedException {
        tick(now);
        return true;
    }

    @Override
    public void tick(Instant now) throws InterruptedException {
        for (SecondWorker other : others) {
            other.tick(now);
            if (!other.isHere()) {
                other.come(now.plus(Duration.ofMillis(LEAST_MILLIS + random.nextInt(MORE_MILLIS))));
            }
        }
    }

    @Override
    public boolean end() {
        others.forEach(SecondWorker::close);
        return true;
    }
}
