package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.deploy.drill.target.TopicTamper.TamperFailedException;

/** The lasting faults of a drill, and which are under way. For one thread. */
final class Faults {
    private final Map<FaultKind, Fault> all;
    private final Map<FaultKind, Instant> until = new EnumMap<>(FaultKind.class);

    Faults(Map<FaultKind, Fault> all) {
        this.all = all;
    }

    /** Begins one; false where it is not to be had, is under way already, or cannot begin now. */
    boolean begin(FaultSchedule.Strike strike, Instant now) throws TamperFailedException, InterruptedException {
        Optional<Fault> fault = Optional.ofNullable(all.get(strike.kind()));
        if (fault.isEmpty() || until.containsKey(strike.kind()) || !fault.get().begin(strike.role(), now)) {
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
        for (FaultKind kind : Set.copyOf(until.keySet())) {
            Fault fault = Objects.requireNonNull(all.get(kind));
            if (isOver(kind, fault, now)) {
                until.remove(kind);
                ended.put(kind, fault.hasHit());
            } else {
                fault.tick(now);
            }
        }
        return ended;
    }

    private boolean isOver(FaultKind kind, Fault fault, Instant now) throws InterruptedException {
        try {
            return !now.isBefore(until.getOrDefault(kind, Instant.MIN)) && fault.end(now);
        } catch (TamperFailedException e) {
            return false;
        }
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
