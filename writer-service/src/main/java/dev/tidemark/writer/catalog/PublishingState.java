package dev.tidemark.writer.catalog;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** How publishing of the definitions goes, and waiting for it. The publisher reports, any thread waits and looks. */
public final class PublishingState {
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Runnable wake = () -> {};

    /** Each write asks for it, so it is read without the lock. */
    private volatile boolean confirmed;

    private long published;
    private Optional<String> refusal = Optional.empty();
    private Optional<String> obstacle = Optional.of("it is being read");

    PublishingState(Duration patience) {
        this.patience = patience;
    }

    /** Has something run whenever there is something to publish, by the thread that changed it. */
    public void onChange(Runnable ringing) {
        reporting(() -> wake = ringing);
    }

    /** Why definitions cannot be changed at the moment; empty when they can. */
    public Optional<String> trouble() {
        return known(() -> refusal.or(() -> obstacle));
    }

    void awaitConfirmed() throws UnconfirmedException, InterruptedException {
        lock.lock();
        try {
            await(() -> confirmed || refusal.isPresent());
            if (refusal.isPresent()) {
                throw UnconfirmedException.refused(refusal.get());
            }
            if (!confirmed) {
                throw UnconfirmedException.unknown(obstacle.orElse(""));
            }
            if (obstacle.isPresent()) {
                throw UnconfirmedException.unpublishable(obstacle.get());
            }
        } finally {
            lock.unlock();
        }
    }

    void awaitPublished(long version) throws UnconfirmedException, InterruptedException {
        known(() -> wake).run();
        lock.lock();
        try {
            await(() -> published >= version || refusal.isPresent() || obstacle.isPresent());
            if (published < version) {
                throw UnconfirmedException.waiting(
                        version, refusal.or(() -> obstacle).orElse("the broker is slow"));
            }
        } finally {
            lock.unlock();
        }
    }

    void confirm() {
        reporting(() -> {
            confirmed = true;
            obstacle = Optional.empty();
        });
    }

    boolean isConfirmed() {
        return confirmed;
    }

    /** The log holds this version, and it is ours. */
    void published(long version) {
        reporting(() -> {
            published = version;
            refusal = Optional.empty();
            obstacle = Optional.empty();
        });
    }

    /** The log does not answer. */
    void unavailable(String reason) {
        reporting(() -> obstacle = Optional.of(reason));
    }

    /** The log holds what must not be replaced. */
    void refuse(String reason) {
        reporting(() -> refusal = Optional.of(reason));
    }

    private <T> T known(Supplier<T> answer) {
        lock.lock();
        try {
            return answer.get();
        } finally {
            lock.unlock();
        }
    }

    private void reporting(Runnable report) {
        lock.lock();
        try {
            report.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        long left = patience.toNanos();
        while (!condition.getAsBoolean() && left > 0) {
            left = changed.awaitNanos(left);
        }
    }
}
