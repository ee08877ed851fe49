package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.Failpoints;

/** Carries out what a plan says, round by round, and brings everything back. */
public final class FaultInjector {
    private static final Duration STEP = Duration.ofMillis(20);
    private static final Duration HOUR = Duration.ofHours(1);

    /** How much longer a round lasts for services that were armed and are not where they are to be killed. */
    private static final Duration WAIT_FOR_PLACES = Duration.ofSeconds(3);

    /** How much longer a round lasts for what is under way. */
    private static final Duration WAIT_FOR_FAULTS = Duration.ofSeconds(75);

    private static final int SOON_MS = 400;
    private static final int LEAST_AWAY_MS = 300;
    private static final int MOST_AWAY_MS = 3_000;
    private static final List<Role> SERVICES = List.of(Role.WRITER, Role.WORKER);

    private final FaultEnvironment.FaultContext context;
    private final ProcessSupervisor crew;
    private final Map<FaultKind, Fault> faults;

    /** The faults that are under way, each with the time until which it lasts. */
    private final Map<FaultKind, Instant> until = new EnumMap<>(FaultKind.class);

    private final Map<FaultKind, String> missing;
    private final FaultStats faultStats;
    private final Clock clock;
    private final FailpointSelector arming;
    private final List<String> poisoned = new ArrayList<>();
    private int poisons;

    /**
     * An injector for a stack.
     *
     * @param around gives most of the faults
     */
    public FaultInjector(FaultEnvironment.FaultContext context, FaultEnvironment around, FaultStats faultStats)
            throws IOException {
        this.context = context;
        this.crew = context.supervisor();
        this.faults = around.faults(context);
        faults.put(FaultKind.POISON, Fault.once(() -> context.tamper().poison(DrillTables.TAMPERED, victim())));
        faults.put(FaultKind.FORGED, Fault.once(() -> context.tamper().forge(DrillTables.TAMPERED, this::victim)));
        this.missing = around.missing();
        this.faultStats = faultStats;
        this.clock = context.books().clock();
        this.arming = new FailpointSelector(faultStats, context.random());
    }

    /** One round of faults. When it returns, some of what was hit may still be away. */
    public void round(int round, Duration length, Set<FaultKind> kinds) throws InterruptedException {
        mayBeRecommitted();
        Deque<Strike> due = new ArrayDeque<>(strikes(round, length, kinds, context.random()));
        boolean points = kinds.contains(FaultKind.POINTS);
        Instant begun = clock.instant();
        Duration passed = Duration.ZERO;
        while (passed.compareTo(length) < 0
                || !due.isEmpty()
                || (!until.isEmpty() && passed.compareTo(length.plus(WAIT_FOR_FAULTS)) < 0)
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
    public List<FaultStats.ServiceFailpoint> walk(List<FaultStats.ServiceFailpoint> places, int times, Duration most)
            throws InterruptedException {
        Instant end = clock.instant().plus(most);
        mayBeRecommitted();
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
            until.replaceAll((kind, time) -> Instant.MIN);
            tick(role -> "");
            if (until.isEmpty() && crew.isReady() && context.others().areReady()) {
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
        for (FaultKind kind : Set.copyOf(until.keySet())) {
            Fault fault = Objects.requireNonNull(faults.get(kind));
            if (isOver(kind, fault, now)) {
                until.remove(kind);
                count(kind, fault.hasHit(), "its time was over before anything came of it");
            } else {
                fault.tick(now);
            }
        }
        crew.tick(now, armed);
        context.others().tick();
    }

    private boolean isOver(FaultKind kind, Fault fault, Instant now) throws InterruptedException {
        try {
            return !now.isBefore(until.getOrDefault(kind, Instant.MIN)) && fault.end(now);
        } catch (TopicTamper.TamperFailedException e) {
            return false;
        }
    }

    private void strike(Strike strike) throws InterruptedException {
        Instant now = clock.instant();
        context.books().log().add("fault", line -> {
            line.put("kind", strike.kind().option())
                    .put("process", strike.role().label());
            line.put("ms", strike.lasts().toMillis());
        });
        boolean done = isDone(strike, now);
        if (!done || !faults.containsKey(strike.kind())) {
            count(strike.kind(), done, missing.getOrDefault(strike.kind(), "a process that it needs was away"));
        }
    }

    private boolean isDone(Strike strike, Instant now) throws InterruptedException {
        try {
            return switch (strike.kind()) {
                case KILL, POINTS -> crew.kill(crew.any(strike.role(), context.random()), Instant.MIN);
                case PAUSE -> crew.stop(crew.any(strike.role(), context.random()), now.plus(strike.lasts()));
                case BROKER -> crew.kill(Role.BROKER, now.plus(strike.lasts()));
                case CLOCK -> clockOff(strike.role());
                default -> begin(strike, now);
            };
        } catch (TopicTamper.TamperFailedException e) {
            return false;
        }
    }

    /**
     * What a writer has sent may arrive after it was killed or cut off. The writer then commits the rows before it once
     * more, so that the newest state of each comes last in its topic.
     */
    private void mayBeRecommitted() {
        context.books().ledger().mayBeRecommitted(clock.instant());
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
        List<Duration> offsets = List.of(HOUR, HOUR.negated(), Duration.ZERO);
        crew.clockOff(role, offsets.get(context.random().nextInt(3)));
        return crew.kill(role, Instant.MIN);
    }

    /** A row that is written when the faults are over: what failed to be appended may be there all the same. */
    private String victim() {
        String key = "poison-" + poisons;
        poisons++;
        poisoned.add(key);
        return key;
    }

    /** Begins a fault; false where it is not to be had, is under way already, or cannot begin now. */
    private boolean begin(Strike strike, Instant now) throws InterruptedException {
        Fault fault = faults.get(strike.kind());
        if (fault == null || until.containsKey(strike.kind()) || !fault.begin(strike.role(), now)) {
            return false;
        }
        until.put(strike.kind(), now.plus(strike.lasts()));
        return true;
    }

    /**
     * Chooses where a service that is started is to be killed, as {@link Failpoints#PROPERTY} takes it. For one
     * thread.
     */
    static final class FailpointSelector {
        private static final int OFTEN = 60;
        private static final int SELDOM = 2;

        /** Of several places it is the first that counts, so each is made to come soon. */
        private static final int OFTEN_OF_SEVERAL = 12;

        private final FaultStats faultStats;
        private final Random random;
        private final Map<FaultStats.ServiceFailpoint, Integer> tried = new HashMap<>();

        FailpointSelector(FaultStats faultStats, Random random) {
            this.faultStats = faultStats;
            this.random = random;
        }

        /** At one of the places that were hit least, and of those at one that was tried least. */
        String atOne(Role role) {
            List<FaultStats.ServiceFailpoint> places = new ArrayList<>(FaultStats.ServiceFailpoint.of(role));
            if (places.isEmpty()) {
                return "";
            }
            Collections.shuffle(places, random);
            FaultStats.ServiceFailpoint next = Collections.min(
                    places,
                    Comparator.comparing(faultStats::hits).thenComparing(place -> tried.getOrDefault(place, 0)));
            tried.merge(next, 1, Integer::sum);
            return at(next, next.often() ? OFTEN : SELDOM);
        }

        /** At whichever comes first of those places of a service that were hit less often than that. */
        String atAnyBelow(Role role, List<FaultStats.ServiceFailpoint> places, int times) {
            return faultStats.below(places, times).stream()
                    .filter(place -> place.role() == role)
                    .map(place -> at(place, place.often() ? OFTEN_OF_SEVERAL : 1))
                    .collect(Collectors.joining(","));
        }

        private String at(FaultStats.ServiceFailpoint place, int most) {
            return place.label() + ":" + (1 + random.nextInt(most));
        }
    }

    /**
     * One fault.
     *
     * @param at since the round began
     * @param role of the process; the worker where that does not matter
     * @param lasts how long, where it lasts
     */
    record Strike(Duration at, FaultKind kind, Role role, Duration lasts) {}

    /**
     * Returns the strikes of a round, in the order of their times. Where failpoints are wanted, both services are
     * killed soon, so that they come back armed. Where kills are wanted, any process is killed. One of the other kinds
     * of fault has its turn.
     */
    static List<Strike> strikes(int round, Duration length, Set<FaultKind> kinds, Random random) {
        List<Strike> strikes = new ArrayList<>();
        if (kinds.contains(FaultKind.POINTS)) {
            SERVICES.forEach(
                    role -> strikes.add(new Strike(within(SOON_MS, random), FaultKind.KILL, role, Duration.ZERO)));
        }
        if (kinds.contains(FaultKind.KILL)) {
            Role victim = FaultKind.KILL.victim(random);
            strikes.add(new Strike(within((int) length.toMillis(), random), FaultKind.KILL, victim, Duration.ZERO));
        }
        List<FaultKind> others = Stream.of(FaultKind.values())
                .filter(kind -> kinds.contains(kind) && kind != FaultKind.KILL && kind != FaultKind.POINTS)
                .toList();
        if (!others.isEmpty()) {
            strikes.add(other(others.get(round % others.size()), length, random));
        }
        strikes.sort(Comparator.comparing(Strike::at));
        return strikes;
    }

    private static Strike other(FaultKind kind, Duration length, Random random) {
        Duration at = within((int) length.toMillis() / 2, random);
        int longer = kind.isLong() ? MOST_AWAY_MS : 0;
        Duration lasts = Duration.ofMillis(longer + LEAST_AWAY_MS + random.nextInt(MOST_AWAY_MS - LEAST_AWAY_MS));
        return new Strike(at, kind, kind.victim(random), lasts);
    }

    private static Duration within(int mostMillis, Random random) {
        return Duration.ofMillis(random.nextInt(Math.max(1, mostMillis)));
    }
}
