package dev.tidemark.deploy.drill;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import dev.tidemark.deploy.drill.machine.Link;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.runtime.BoundedWait;

/**
 * The workers beside the stack's own: the others of its replica group, and other replica groups. Workers reach each of
 * them through a link, clients do so without. For the thread of the drill.
 */
final class GroupWorkers implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(50);

    private final List<GroupWorker> workers;
    private final ReadinessProbe readiness;
    private final DrillFindings findings;
    private Optional<GroupWorker> down = Optional.empty();

    /**
     * One of them.
     *
     * @param link by which other workers reach it
     * @param copyOfItsOwn whether it is the first of another replica group
     */
    record GroupWorker(SecondWorker process, Link link, boolean copyOfItsOwn) {}

    /** None of them runs yet. */
    GroupWorkers(List<GroupWorker> workers, ReadinessProbe readiness, DrillFindings findings) {
        this.workers = List.copyOf(workers);
        this.readiness = readiness;
        this.findings = findings;
    }

    /** Where all of them are. */
    List<URI> urls() {
        return workers.stream().map(worker -> worker.process().url()).toList();
    }

    /** Where the first worker of each other replica group is. */
    List<URI> copies() {
        return workers.stream()
                .filter(GroupWorker::copyOfItsOwn)
                .map(worker -> worker.process().url())
                .toList();
    }

    /** Starts all, and waits until they serve; false when they do not in time. */
    boolean start(Duration patience) throws InterruptedException {
        workers.forEach(worker -> worker.process().come(Instant.MAX));
        return BoundedWait.until(this::areReady, patience, STEP);
    }

    /** Whether all run and serve, and no fault is under way. */
    boolean areReady() {
        return down.isEmpty()
                && workers.stream()
                        .allMatch(worker -> readiness.isReady(worker.process().url()));
    }

    /** Starts those again that ended by themselves, which none may. */
    void tick() {
        for (GroupWorker worker : workers) {
            if (!worker.process().isHere() && !down.equals(Optional.of(worker))) {
                findings.differ(List.of("the worker at " + worker.process().url() + " ended by itself; see its log"));
                worker.process().come(Instant.MAX);
            }
        }
    }

    /**
     * One of them is killed, loses its disk, stands still, or cannot be reached by other workers, as chance has it. One
     * without its disk takes copies of its shards from others, which clients change meanwhile.
     */
    Fault fault(Random random) {
        return Fault.between(role -> harm(random), this::mend);
    }

    private void harm(Random random) {
        GroupWorker victim = workers.get(random.nextInt(workers.size()));
        int what = random.nextInt(3 + Link.Mood.BAD.size());
        down = Optional.of(victim);
        switch (what) {
            case 0 -> victim.process().close();
            case 1 -> victim.process().loseDisk();
            case 2 -> victim.process().suspend();
            default -> victim.link().become(Link.Mood.BAD.get(what - 3));
        }
    }

    private void mend() {
        down.ifPresent(victim -> {
            victim.link().become(Link.Mood.FINE);
            if (victim.process().isHere()) {
                victim.process().resume();
            } else {
                victim.process().come(Instant.MAX);
            }
        });
        down = Optional.empty();
    }

    @Override
    public void close() {
        workers.forEach(worker -> {
            worker.process().close();
            worker.link().close();
        });
    }
}
