package dev.tidemark.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Ends the process when only a restart can help. The process stays for a moment, so that waiting clients get an answer
 * and its health check reports the reason.
 */
public final class FatalErrorAgent implements Agent {
    private final Supplier<Optional<String>> reason;
    private final Duration stay;
    private final Clock clock;
    private final Consumer<String> end;
    private @Nullable Instant since;

    /**
     * One that has found nothing.
     *
     * @param reason why to end; empty while there is none
     * @param stay how long to stay after the reason was first seen
     * @param end ends the process, given the reason; see {@link ServiceProcess#giveUp}
     */
    public FatalErrorAgent(Supplier<Optional<String>> reason, Duration stay, Clock clock, Consumer<String> end) {
        this.reason = reason;
        this.stay = stay;
        this.clock = clock;
        this.end = end;
    }

    @Override
    public String roleName() {
        return "fatal-error";
    }

    /** Always 0, so that the thread rests. */
    @Override
    public int doWork() {
        Optional<String> why = reason.get();
        Instant now = clock.instant();
        Instant first = since == null ? now : since;
        since = why.isPresent() ? first : null;
        if (why.isPresent() && !now.isBefore(first.plus(stay))) {
            end.accept(why.get());
        }
        return 0;
    }
}
