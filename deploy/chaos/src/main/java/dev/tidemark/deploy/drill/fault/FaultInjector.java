package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.target.TopicTamper.TamperFailedException;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;

/** Carries out what a plan says, round by round, and brings everything back. */
public final class FaultInjector {
    private static final Duration STEP = Duration.ofMillis(20);
    private static final Duration SECOND_STAYS = Duration.ofSeconds(4);
    private static final Duration HOUR = Duration.ofHours(1);

    /** How much longer a round lasts for services that were armed and are not where they are to be killed. */
    private static final Duration WAIT_FOR_PLACES = Duration.ofSeconds(3);

    /** How much longer a round lasts for what is under way. */
    private static final Duration WAIT_FOR_FAULTS = Duration.ofSeconds(75);

    private static final int REPEATED = 200;

    private final FaultContext context;
    private final ProcessSupervisor crew;
    private final SecondWorker second;
    private final Faults faults;
    private final ShardFaults shards;
    private final Map<FaultKind, String> missing;
    private final FaultStats faultStats;
    private final Clock clock;
    private final FailpointSelector arming;
    private final List<String> poisoned = new ArrayList<>();
    private int poisons;

    /**
     * An injector for a stack.
     *
     * @param second the worker that comes and goes
     * @param around gives the faults that last
     */
    public FaultInjector(FaultContext context, SecondWorker second, FaultEnvironment around, FaultStats faultStats)
            throws IOException {
        this.context = context;
        this.crew = context.supervisor();
        this.second = second;
        this.faults = new Faults(around.faults(context));
        this.missing = around.missing();
        this.faultStats = faultStats;
        this.clock = context.books().clock();
        this.shards = new ShardFaults(crew, context.random());
        this.arming = new FailpointSelector(faultStats, context.random());
    }

    /** One round of faults. When it returns, some of what was hit may still be away. */
    public void round(int round, Duration length, Set<FaultKind> kinds) throws InterruptedException {
        Deque<FaultSchedule.Strike> due = new ArrayDeque<>(
                FaultSchedule.of(round, length, kinds, context.random()).strikes());
        boolean points = kinds.contains(FaultKind.POINTS);
        Instant begun = clock.instant();
        Duration passed = Duration.ZERO;
        while (passed.compareTo(length) < 0
                || !due.isEmpty()
                || (faults.isAny() && passed.compareTo(length.plus(WAIT_FOR_FAULTS)) < 0)
                || (points && crew.isArmed() && passed.compareTo(length.plus(WAIT_FOR_PLACES)) < 0)) {
            while (!due.isEmpty() && passed.compareTo(due.getFirst().at()) >= 0) {
                strike(due.removeFirst());
            }
            tick(role -> points ? arming.atOne(role) : "");
            BoundedWait.rest(STEP);
            passed = Duration.between(begun, clock.instant());
        }
    }

    /**
     * Kills both services again and again, each at the place that it comes to first of those that were hit less often
     * than asked for, until there are none left, or the time is over.
     *
     * @param times how often each place is to have been hit
     * @return the places that were hit less often
     */
    public List<ServiceFailpoint> walk(List<ServiceFailpoint> places, int times, Duration most)
            throws InterruptedException {
        Instant end = clock.instant().plus(most);
        crew.kill(Role.WRITER, Instant.MIN);
        crew.kill(Role.WORKER, Instant.MIN);
        while (!faultStats.below(places, times).isEmpty() && clock.instant().isBefore(end)) {
            tick(role -> arming.atAnyBelow(role, places, times));
            BoundedWait.rest(STEP);
        }
        return faultStats.below(places, times);
    }

    /**
     * Injects no more faults, and brings all processes back.
     *
     * @return whether all are back in time
     */
    public boolean heal(Duration patience) throws InterruptedException {
        Instant end = clock.instant().plus(patience);
        while (clock.instant().isBefore(end)) {
            crew.relent();
            faults.relent();
            tick(role -> "");
            if (!second.isHere() && !faults.isAny() && crew.isReady()) {
                return true;
            }
            BoundedWait.rest(STEP);
        }
        return false;
    }

    /** Starts the processes that have ended, without injecting a fault. */
    public void lookAfter() throws InterruptedException {
        tick(role -> "");
    }

    /** Returns the rows whose topic has an unreadable record; each is returned once. */
    public List<String> poisoned() {
        List<String> keys = List.copyOf(poisoned);
        poisoned.clear();
        return keys;
    }

    private void tick(Function<Role, String> armed) throws InterruptedException {
        Instant now = clock.instant();
        faults.tick(now).forEach((kind, hit) -> count(kind, hit, "its time was over before anything came of it"));
        crew.tick(now, armed);
        if (second.tick(now)) {
            faultStats.injected(FaultKind.REBALANCE);
        }
    }

    private void strike(FaultSchedule.Strike strike) throws InterruptedException {
        Instant now = clock.instant();
        context.books()
                .log()
                .add(
                        "fault",
                        line -> line.put("kind", strike.kind().option())
                                .put("process", strike.role().label())
                                .put("ms", strike.lasts().toMillis()));
        boolean done = isDone(strike, now);
        boolean lasting = strike.kind() == FaultKind.REBALANCE || faults.has(strike.kind());
        if (!done || !lasting) {
            count(strike.kind(), done, missing.getOrDefault(strike.kind(), "a process that it needs was away"));
        }
    }

    private boolean isDone(FaultSchedule.Strike strike, Instant now) throws InterruptedException {
        try {
            return switch (strike.kind()) {
                case KILL, POINTS -> crew.kill(strike.role(), Instant.MIN);
                case PAUSE -> crew.stop(strike.role(), now.plus(strike.lasts()));
                case BROKER -> crew.kill(Role.BROKER, now.plus(strike.lasts()));
                case CLOCK -> clockOff(strike.role());
                case REBALANCE -> {
                    second.come(now.plus(SECOND_STAYS));
                    yield true;
                }
                case POISON, REPEAT, FORGED, TOPIC -> tamper(strike.kind());
                case DAMAGE -> damage();
                default -> faults.begin(strike, now);
            };
        } catch (TamperFailedException e) {
            return false;
        }
    }

    /** What lasts counts once it is over. */
    private void count(FaultKind kind, boolean done, String whyNot) {
        if (done) {
            faultStats.injected(kind);
        } else {
            faultStats.skipped(kind, whyNot);
        }
    }

    private boolean clockOff(Role role) throws InterruptedException {
        crew.clockOff(
                role,
                List.of(HOUR, HOUR.negated(), Duration.ZERO)
                        .get(context.random().nextInt(3)));
        return crew.kill(role, Instant.MIN);
    }

    private boolean damage() throws InterruptedException {
        Optional<String> done = shards.damage();
        context.books().log().add("fault", line -> line.put("damaged", done.orElse("nothing")));
        return done.isPresent();
    }

    /** A row that is written when the faults are over: what failed to be appended may be there all the same. */
    private String victim() {
        String key = "poison-" + poisons;
        poisons++;
        poisoned.add(key);
        return key;
    }

    private boolean tamper(FaultKind kind) throws TamperFailedException, InterruptedException {
        TableDefinition table = context.tampered();
        if (kind == FaultKind.POISON) {
            context.tamper().poison(table, victim());
        } else if (kind == FaultKind.REPEAT) {
            context.tamper().repeat(table, REPEATED);
        } else if (kind == FaultKind.FORGED) {
            context.tamper().forge(table, this::victim);
        } else {
            context.tamper().delete(table);
        }
        return true;
    }
}
