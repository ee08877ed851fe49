package dev.tidemark.deploy.stack;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.tidemark.runtime.Agent;

/**
 * Notices children that died and, where wanted, starts them again: soon the first time, later and later while they die
 * young.
 */
final class Supervisor implements Agent {
    static final Duration FIRST_REST = Duration.ofMillis(200);
    static final Duration LONGEST_REST = Duration.ofSeconds(5);
    static final Duration GROWN_UP = Duration.ofSeconds(10);

    private final List<ChildProcess> children;
    private final boolean restart;
    private final Clock clock;
    private final StackListener listener;
    private final Map<Role, Life> lifecycleStates = new EnumMap<>(Role.class);

    /** What is known of one child: when it was started, how long to rest when it dies, and since when it is dead. */
    private record Life(
            Instant startedAt, Duration rest, @Nullable Instant diedAt) {
        static Life begun(Instant at, Duration rest) {
            return new Life(at, rest, null);
        }
    }

    Supervisor(List<ChildProcess> children, boolean restart, Clock clock, StackListener listener) {
        this.children = List.copyOf(children);
        this.restart = restart;
        this.clock = clock;
        this.listener = listener;
        for (ChildProcess child : children) {
            lifecycleStates.put(child.role(), Life.begun(clock.instant(), FIRST_REST));
        }
    }

    @Override
    public String roleName() {
        return "supervisor";
    }

    @Override
    public int doWork() {
        int done = 0;
        for (ChildProcess child : children) {
            done += look(child);
        }
        return done;
    }

    private int look(ChildProcess child) {
        Role role = child.role();
        Instant now = clock.instant();
        Life lifecycleState = lifecycleStates.getOrDefault(role, Life.begun(now, FIRST_REST));
        Instant diedAt = lifecycleState.diedAt();
        if (child.isAlive()) {
            if (diedAt != null) {
                lifecycleStates.put(role, Life.begun(now, lifecycleState.rest()));
            }
            return 0;
        }
        if (diedAt == null) {
            boolean young = Duration.between(lifecycleState.startedAt(), now).compareTo(GROWN_UP) < 0;
            lifecycleStates.put(
                    role, new Life(lifecycleState.startedAt(), young ? lifecycleState.rest() : FIRST_REST, now));
            listener.died(role, child.exitCode(), restart);
            return 1;
        }
        if (!restart || now.isBefore(diedAt.plus(lifecycleState.rest()))) {
            return 0;
        }
        child.start();
        Duration doubled = lifecycleState.rest().multipliedBy(2);
        lifecycleStates.put(role, Life.begun(now, doubled.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : doubled));
        listener.restarted(role);
        return 1;
    }
}
