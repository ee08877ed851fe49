package dev.tidemark.deploy.stack;

import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

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

    private final List<Supervised> children;
    private final boolean restart;
    private final Clock clock;
    private final StackListener listener;

    /** A child: when it was started, how long to rest when it dies, and since when it is dead. */
    private static final class Supervised {
        private final ChildProcess child;
        private Instant startedAt;
        private Duration rest = FIRST_REST;
        private @Nullable Instant diedAt;

        Supervised(ChildProcess child, Instant startedAt) {
            this.child = child;
            this.startedAt = startedAt;
        }

        void startedAt(Instant now) {
            startedAt = now;
            diedAt = null;
        }
    }

    Supervisor(List<ChildProcess> children, boolean restart, Clock clock, StackListener listener) {
        this.children = children.stream()
                .map(child -> new Supervised(child, clock.instant()))
                .toList();
        this.restart = restart;
        this.clock = clock;
        this.listener = listener;
    }

    @Override
    public String roleName() {
        return "supervisor";
    }

    @Override
    public int doWork() {
        return children.stream().mapToInt(this::look).sum();
    }

    private int look(Supervised one) {
        Instant now = clock.instant();
        Instant diedAt = one.diedAt;
        if (one.child.isAlive()) {
            if (diedAt != null) {
                one.startedAt(now);
            }
            return 0;
        }
        if (diedAt == null) {
            if (Duration.between(one.startedAt, now).compareTo(GROWN_UP) >= 0) {
                one.rest = FIRST_REST;
            }
            one.diedAt = now;
            listener.died(one.child.id(), one.child.exitCode(), restart);
            return 1;
        }
        if (!restart || now.isBefore(diedAt.plus(one.rest))) {
            return 0;
        }
        restart(one, now);
        return 1;
    }

    /** A start may fail for a while, for example with too little memory or a full disk. */
    private void restart(Supervised one, Instant now) {
        Duration doubled = one.rest.multipliedBy(2);
        one.rest = doubled.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : doubled;
        try {
            one.child.start();
        } catch (UncheckedIOException e) {
            one.diedAt = now;
            listener.notRestarted(one.child.id(), String.valueOf(e.getMessage()));
            return;
        }
        one.startedAt(now);
        listener.restarted(one.child.id());
    }
}
