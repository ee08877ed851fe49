package dev.tidemark.deploy.drill.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;

import dev.tidemark.deploy.stack.Role;

/**
 * While workers come and are killed, the stack's own one, which is asked all the time, is stopped until others have its
 * shards, and goes on as if nothing had been.
 */
final class ZombieWorker implements Fault {
    /** The group gives a silent worker's shards away after 3 s, which is its lease as well. */
    private static final Duration LEASE = Duration.ofMillis(3_500);

    private static final Duration LEAST = Duration.ofSeconds(5);
    private static final int MORE_MILLIS = 3_000;

    private final RebalanceStorm storm;
    private final ProcessSupervisor supervisor;
    private final Random random;
    private Instant begun = Instant.MIN;
    private Instant stopped = Instant.MAX;
    private Instant until = Instant.MAX;
    private int openedBefore;
    private boolean replaced;

    ZombieWorker(RebalanceStorm storm, ProcessSupervisor supervisor, Random random) {
        this.storm = storm;
        this.supervisor = supervisor;
        this.random = random;
    }

    @Override
    public boolean begin(Role role, Instant time) throws InterruptedException {
        stopped = Instant.MAX;
        until = Instant.MAX;
        replaced = false;
        begun = time;
        return storm.begin(role, time);
    }

    @Override
    public void tick(Instant time) throws InterruptedException {
        storm.tick(time);
        if (stopped.equals(Instant.MAX)) {
            // Other workers are members by now, so that one of them can take over.
            if (storm.opened() > 0) {
                stop(time);
            }
        } else if (supervisor.isStopped(Role.WORKER) && !time.isBefore(stopped.plus(LEASE))) {
            replaced |= storm.opened() > openedBefore;
        } else if (!replaced && !time.isBefore(until)) {
            // No worker took over meanwhile: once more.
            stopped = Instant.MAX;
        }
    }

    private void stop(Instant time) {
        Instant goesOn = time.plus(LEAST).plusMillis(random.nextInt(MORE_MILLIS));
        if (supervisor.stop(Role.WORKER, goesOn)) {
            stopped = time;
            until = goesOn;
            // A member that keeps joining and leaving keeps the group from assigning shards.
            storm.calmUntil(goesOn);
            openedBefore = storm.opened();
        }
    }

    @Override
    public boolean end(Instant now) {
        boolean waits = replaced ? now.isBefore(until) : now.isBefore(begun.plus(RebalanceStorm.LONGEST));
        return !waits && storm.end(now);
    }

    /** Whether others were given shards while it was stopped for longer than its lease. */
    @Override
    public boolean hasHit() {
        return replaced;
    }
}
