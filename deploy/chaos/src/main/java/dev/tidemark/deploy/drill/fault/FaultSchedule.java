package dev.tidemark.deploy.drill.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.Role;

/**
 * What is done in one round, and when.
 *
 * @param strikes in the order of their times
 */
record FaultSchedule(List<Strike> strikes) {
    private static final int SOON_MS = 400;
    private static final int LEAST_AWAY_MS = 300;
    private static final int MOST_AWAY_MS = 3_000;

    /** What shows its worst only after seconds. */
    private static final Set<FaultKind> LONG = EnumSet.of(
            FaultKind.DISK,
            FaultKind.NET,
            FaultKind.CUTOFF,
            FaultKind.STORM,
            FaultKind.ZOMBIE,
            FaultKind.LARGE,
            FaultKind.COMPACTION,
            FaultKind.TOMBSTONES,
            FaultKind.RETENTION,
            FaultKind.EIO,
            FaultKind.UNREADABLE,
            FaultKind.CLIENTS);

    private static final List<Role> SERVICES = List.of(Role.WRITER, Role.WORKER);
    private static final List<Role> EVERYBODY = List.of(Role.values());

    /**
     * One fault.
     *
     * @param at since the round began
     * @param role of the process; the worker where that does not matter
     * @param lasts how long, where it lasts
     */
    record Strike(Duration at, FaultKind kind, Role role, Duration lasts) {}

    /**
     * Returns the plan of a round. Where failpoints are wanted, both services are killed soon, so that they come back
     * armed. Where kills are wanted, any process is killed. One of the other kinds of fault has its turn.
     */
    static FaultSchedule of(int round, Duration length, Set<FaultKind> kinds, Random random) {
        List<Strike> strikes = new ArrayList<>();
        if (kinds.contains(FaultKind.POINTS)) {
            SERVICES.forEach(
                    role -> strikes.add(new Strike(within(SOON_MS, random), FaultKind.KILL, role, Duration.ZERO)));
        }
        if (kinds.contains(FaultKind.KILL)) {
            Role victim = EVERYBODY.get(random.nextInt(EVERYBODY.size()));
            strikes.add(new Strike(within((int) length.toMillis(), random), FaultKind.KILL, victim, Duration.ZERO));
        }
        List<FaultKind> others = Stream.of(FaultKind.values())
                .filter(kind -> kinds.contains(kind) && kind != FaultKind.KILL && kind != FaultKind.POINTS)
                .toList();
        if (!others.isEmpty()) {
            strikes.add(other(others.get(round % others.size()), length, random));
        }
        strikes.sort(Comparator.comparing(Strike::at));
        return new FaultSchedule(List.copyOf(strikes));
    }

    private static Strike other(FaultKind kind, Duration length, Random random) {
        Duration at = within((int) length.toMillis() / 2, random);
        int longer = LONG.contains(kind) ? MOST_AWAY_MS : 0;
        Duration lasts = Duration.ofMillis(longer + LEAST_AWAY_MS + random.nextInt(MOST_AWAY_MS - LEAST_AWAY_MS));
        Role role = switch (kind) {
            case PAUSE -> EVERYBODY.get(random.nextInt(EVERYBODY.size()));
            case BROKER -> Role.BROKER;
            case CLOCK, DISK, NET, CUTOFF, EIO, UNREADABLE, POWER -> SERVICES.get(random.nextInt(SERVICES.size()));
            case KILL, POINTS, REBALANCE, POISON, REPEAT, FORGED, DAMAGE, TOPIC -> Role.WORKER;
            case FILES, STORM, ZOMBIE, LARGE, COMPACTION, TOMBSTONES, RETENTION, PARTITIONS, CLIENTS -> Role.WORKER;
            case PUT_BACK -> Role.WRITER;
        };
        return new Strike(at, kind, role, lasts);
    }

    private static Duration within(int mostMillis, Random random) {
        return Duration.ofMillis(random.nextInt(Math.max(1, mostMillis)));
    }
}
