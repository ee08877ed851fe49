package dev.tidemark.deploy.drill.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

import dev.tidemark.deploy.stack.Role;

/**
 * More workers of the group come, are given shards, and are killed, again and again; for longer than it was to last
 * where too few shards have gone to others by then.
 */
final class RebalanceStorm implements Fault {
    /** For who is given nothing. */
    private static final Duration LONGEST_STAY = Duration.ofSeconds(60);

    /** For others to come and to be given shards, where the machine is busy. */
    static final Duration LONGEST = Duration.ofSeconds(70);

    private static final int LEAST_MILLIS = 500;
    private static final int MORE_MILLIS = 4_000;

    private final List<SecondWorker> others;
    private final Random random;
    private int opened;
    private Instant begun = Instant.MIN;
    private Instant calmUntil = Instant.MIN;

    RebalanceStorm(List<SecondWorker> others, Random random) {
        this.others = others;
        this.random = random;
    }

    @Override
    public boolean begin(Role role, Instant time) throws InterruptedException {
        opened = 0;
        begun = time;
        calmUntil = Instant.MIN;
        tick(time);
        return true;
    }

    @Override
    public void tick(Instant now) throws InterruptedException {
        for (SecondWorker other : others) {
            int more = other.opened();
            if (more > 0) {
                opened += more;
                other.leaveAt(now.plus(Duration.ofMillis(LEAST_MILLIS + random.nextInt(MORE_MILLIS))));
            }
            other.stayUntil(calmUntil);
            other.tick(now);
            if (!other.isHere()) {
                other.come(now.plus(LONGEST_STAY));
            }
        }
    }

    @Override
    public boolean end(Instant now) {
        if (!hasHit() && now.isBefore(begun.plus(LONGEST))) {
            return false;
        }
        for (SecondWorker other : others) {
            other.close();
            opened += other.opened();
        }
        return true;
    }

    /** Lets no worker leave before a time. */
    void calmUntil(Instant least) {
        calmUntil = least;
    }

    /** How many shards the others were given so far, in all. */
    int opened() {
        return opened;
    }

    /** Whether the others were given as many shards as there are of them, at least. */
    @Override
    public boolean hasHit() {
        return opened >= others.size();
    }
}
