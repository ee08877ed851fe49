package dev.tidemark.writer.catalog;

import java.time.Duration;
import java.util.Optional;

import dev.tidemark.runtime.BoundedWait;

/** How publishing of the definitions goes, and waiting for it. The publisher reports, any thread waits and looks. */
public final class PublishingState {
    private static final Duration STEP = Duration.ofMillis(1);

    private final Duration patience;
    private volatile Runnable wake = () -> {};

    /** Each write asks for it, so it is read without a lock. */
    private volatile Known known = new Known(false, 0, Optional.empty(), Optional.of("it is being read"));

    /**
     * What the publisher has reported.
     *
     * @param published the version that the log holds
     * @param refusal the log holds what must not be replaced
     * @param obstacle the log does not answer
     */
    private record Known(boolean confirmed, long published, Optional<String> refusal, Optional<String> obstacle) {
        Optional<String> trouble() {
            return refusal.or(() -> obstacle);
        }
    }

    PublishingState(Duration patience) {
        this.patience = patience;
    }

    /** Has something run whenever there is something to publish, by the thread that changed it. */
    public void onChange(Runnable ringing) {
        wake = ringing;
    }

    /** Why definitions cannot be changed at the moment; empty when they can. */
    public Optional<String> trouble() {
        return known.trouble();
    }

    void awaitConfirmed() throws UnconfirmedException, InterruptedException {
        BoundedWait.until(() -> known.confirmed() || known.refusal().isPresent(), patience, STEP);
        Known now = known;
        if (now.refusal().isPresent()) {
            throw new UnconfirmedException("nothing was changed: this writer does not publish definitions, because "
                    + now.refusal().get());
        }
        if (!now.confirmed()) {
            throw new UnconfirmedException("nothing was changed: the writer does not know yet which definitions it"
                    + " published before it was started, so a version could be given twice ("
                    + now.obstacle().orElse("") + "). See to it that the broker answers, then send the"
                    + " change again; it needs no other version unless a later one has come into force");
        }
        if (now.obstacle().isPresent()) {
            throw new UnconfirmedException("nothing was changed: definitions cannot be published at the moment ("
                    + now.obstacle().get() + "). Send the change again when the broker answers");
        }
    }

    void awaitPublished(long version) throws UnconfirmedException, InterruptedException {
        wake.run();
        BoundedWait.until(() -> known.published() >= version || trouble().isPresent(), patience, STEP);
        Known now = known;
        if (now.published() < version) {
            throw new UnconfirmedException("version " + version
                    + " of the definitions is on disk and in force at the writer, and waits to be published ("
                    + now.trouble().orElse("the broker is slow") + "). Do not send the change again");
        }
    }

    synchronized void confirm() {
        known = new Known(true, known.published(), known.refusal(), Optional.empty());
    }

    boolean isConfirmed() {
        return known.confirmed();
    }

    /** The log holds this version, and it is ours. */
    synchronized void published(long version) {
        known = new Known(known.confirmed(), version, Optional.empty(), Optional.empty());
    }

    /** The log does not answer. */
    synchronized void unavailable(String reason) {
        known = new Known(known.confirmed(), known.published(), known.refusal(), Optional.of(reason));
    }

    /** The log holds what must not be replaced. */
    synchronized void refuse(String reason) {
        known = new Known(known.confirmed(), known.published(), Optional.of(reason), known.obstacle());
    }
}
