package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The lasting faults of a drill, and which are under way. For one thread. */
final class Faults {
    private final Map<FaultKind, Fault> all;
    private final Map<FaultKind, Instant> until = new EnumMap<>(FaultKind.class);

    Faults(Map<FaultKind, Fault> all) {
        this.all = all;
    }

    /** Begins one; false where it is not to be had, is under way already, or cannot begin now. */
    boolean begin(FaultSchedule.Strike strike, Instant now) throws InterruptedException {
        Optional<Fault> fault = Optional.ofNullable(all.get(strike.kind()));
        if (fault.isEmpty()
                || until.containsKey(strike.kind())
                || !fault.get().begin(strike.role(), now)) {
            return false;
        }
        until.put(strike.kind(), now.plus(strike.lasts()));
        return true;
    }

    /**
     * Ends those whose time is over.
     *
     * @return those that have ended, and whether they came to what they are about
     */
    Map<FaultKind, Boolean> tick(Instant now) throws InterruptedException {
        Map<FaultKind, Boolean> ended = new EnumMap<>(FaultKind.class);
        for (Map.Entry<FaultKind, Instant> one : Map.copyOf(until).entrySet()) {
            Fault fault = all.get(one.getKey());
            if (fault == null) {
                continue;
            }
            if (now.isBefore(one.getValue())) {
                fault.tick(now);
            } else if (fault.end()) {
                until.remove(one.getKey());
                ended.put(one.getKey(), fault.hasHit());
            } else {
                fault.tick(now);
            }
        }
        return ended;
    }

    /** Whether a kind is one of these. */
    boolean has(FaultKind kind) {
        return all.containsKey(kind);
    }

    /** Whether one is under way. */
    boolean isAny() {
        return !until.isEmpty();
    }

    /** They are over as soon as they can be ended. */
    void relent() {
        until.replaceAll((kind, end) -> Instant.MIN);
    }
}
