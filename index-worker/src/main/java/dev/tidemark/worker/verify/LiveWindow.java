package dev.tidemark.worker.verify;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.apply.RowRepair;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardView;

/** A shard assigned to this process. What is to be changed in it, its apply thread does. */
record LiveWindow(OpenShard shard, int openings) implements ShardWindow {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofMillis(5);

    /** The shard as it is open now. What it holds when it is opened again later is not looked at. */
    LiveWindow(OpenShard shard) {
        this(shard, shard.openings());
    }

    @Override
    public int partition() {
        return shard.id().partition();
    }

    @Override
    public RowVersion through() {
        return shard.applied()
                .map(status -> status.checkpoint().progress().through())
                .orElse(RowVersion.NONE);
    }

    @Override
    public Optional<DigestFinding> digest(long generation) {
        return shard.applied()
                .flatMap(status -> Optional.ofNullable(status.digests().get(generation)));
    }

    @Override
    public ShardView open() throws CannotVerifyException {
        try {
            Optional<ShardView> view = shard.readApplied().map(OpenShard.ShardSnapshot::view);
            return view.orElseThrow(() -> new CannotVerifyException("shard " + shard.id() + " is not open"));
        } catch (ShardClosedException e) {
            throw new CannotVerifyException("shard " + shard.id() + " is being closed");
        }
    }

    @Override
    public boolean repair(List<RowRepair> rows) throws InterruptedException {
        return isDone(applier -> applier.repair(rows));
    }

    @Override
    public boolean correct(long generation, GenerationStats by) throws InterruptedException {
        return isDone(applier -> applier.correct(generation, by));
    }

    /** Has the apply thread run a task, and waits for that; whether it was done. */
    private boolean isDone(Consumer<ShardApplier> task) throws InterruptedException {
        AtomicBoolean taken = new AtomicBoolean();
        AtomicBoolean done = new AtomicBoolean();
        shard.ask(applier -> {
            if (!isLeaving() && taken.compareAndSet(false, true)) {
                task.accept(applier);
                done.set(true);
            }
        });
        BoundedWait.until(() -> done.get() || isLeaving(), PATIENCE, STEP);
        if (!taken.compareAndSet(false, true)) {
            // It has begun. What has not is called off, because a later comparison finds the same once more.
            BoundedWait.until(() -> done.get() || isLeaving(), PATIENCE, STEP);
        }
        return done.get();
    }

    @Override
    public void judge(long generation, VerificationResult proof) {
        shard.ask(applier -> {
            // What the shard holds since it was opened again is not what was compared.
            if (!isLeaving()) {
                applier.judge(generation, proof);
            }
        });
    }

    @Override
    public boolean isLeaving() {
        return shard.isLeaving(openings);
    }
}
