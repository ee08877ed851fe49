package dev.tidemark.deploy.drill.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
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

    private static final List<Role> SERVICES = List.of(Role.WRITER, Role.WORKER);

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
        return new FaultSchedule(List.copyOf(strikes));
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
