package dev.tidemark.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Ends the process when only a restart can help. The process stays for a moment, so that waiting clients get an answer
 * and its health check reports the reason.
 */
public final class FatalErrorAgent implements Agent {
    private static final Duration STAY = Duration.ofSeconds(1);

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

    /** One that gives the process up, for its supervisor, once there is a reason to. */
    public static FatalErrorAgent of(Supplier<Optional<String>> reason, int exitCode, Clock clock) {
        return new FatalErrorAgent(reason, STAY, clock, why -> ServiceProcess.giveUp(exitCode, why));
    }

    /**
     * One that gives the process up once one of some threads has stopped by itself. A process that is of no use without
     * them may also keep another one from its place while it runs.
     */
    public static FatalErrorAgent without(List<AgentRunner> threads, Clock clock) {
        List<AgentRunner> needed = List.copyOf(threads);
        return of(() -> AgentRunner.stopped(needed), ServiceProcess.GAVE_UP, clock);
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
