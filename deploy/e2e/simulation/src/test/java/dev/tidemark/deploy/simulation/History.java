package dev.tidemark.deploy.simulation;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommittedChange;

/**
 * Every change that was ever committed, and every version that a client was told of. Changes that the fact table has
 * lost are no part of the truth any more, but somebody may still have seen them.
 */
final class History {
    private final Map<KeyBytes, List<ChangeEvent>> changes = new HashMap<>();
    private final Map<RowVersion, Instant> trueTimes = new HashMap<>();
    private final Set<RowVersion> acknowledged = new HashSet<>();
    private final Set<RowVersion> lost = new HashSet<>();
    private final Set<RowVersion> lostPromises = new HashSet<>();
    private boolean wentBack;
    private Optional<RowVersion> leastKept = Optional.empty();

    /** A batch was committed, at a time that no process's clock needs to show. */
    void committed(List<CommittedChange> batch, Instant trueTime) {
        for (CommittedChange change : batch) {
            changes.computeIfAbsent(change.event().key(), key -> new ArrayList<>())
                    .add(change.event());
            trueTimes.put(change.event().version(), trueTime);
        }
    }

    /**
     * A version is given again, here or in another table. Nobody but the writer ever saw the lost change that had it,
     * or there would be another epoch.
     */
    void givenAgain(RowVersion version) {
        lostPromises.remove(version);
        if (lost.remove(version)) {
            trueTimes.remove(version);
            changes.values()
                    .forEach(events -> events.removeIf(event -> event.version().equals(version)));
        }
    }

    /** Whether the fact table has ever gone back in time. */
    boolean hasLost() {
        return wentBack;
    }

    /** The fact table has gone back in time: all that came after a version is lost. */
    void lostAfter(RowVersion version) {
        trueTimes.keySet().stream().filter(one -> one.isAfter(version)).forEach(lost::add);
        acknowledged.stream().filter(lost::contains).forEach(lostPromises::add);
        acknowledged.removeAll(lost);
        wentBack = true;
        leastKept =
                Optional.of(leastKept.filter(least -> !least.isAfter(version)).orElse(version));
    }

    /** Whether the fact table was ever put back to a place before a version. */
    boolean wentBackSince(RowVersion version) {
        return leastKept.filter(version::isAfter).isPresent();
    }

    /**
     * When the oldest change of a row was committed, in truth, that somebody lacks who has the given version. Whoever
     * has none, or a delete, has what the row was when it was last deleted.
     */
    Optional<Instant> lackingSince(KeyBytes key, Optional<RowVersion> held) {
        RowVersion last = held.orElse(RowVersion.NONE);
        if (isGone(key, held)) {
            RowVersion deleted = newestWhere(key, ChangeEvent.Deleted.class::isInstance)
                    .map(ChangeEvent::version)
                    .orElse(RowVersion.NONE);
            last = deleted.isAfter(last) ? deleted : last;
        }
        List<ChangeEvent> ofRow = changes.getOrDefault(key, List.of());
        Optional<Instant> since = Optional.empty();
        for (int i = ofRow.size() - 1; i >= 0 && ofRow.get(i).version().isAfter(last); i--) {
            RowVersion version = ofRow.get(i).version();
            since = lost.contains(version) ? since : Optional.of(Objects.requireNonNull(trueTimes.get(version)));
        }
        return since;
    }

    void acknowledged(RowVersion version) {
        acknowledged.add(version);
    }

    Set<KeyBytes> keys() {
        return changes.keySet();
    }

    Set<RowVersion> acknowledgedVersions() {
        return acknowledged;
    }

    boolean holds(RowVersion version) {
        return trueTimes.containsKey(version);
    }

    /** The newest change of a row that is not lost; empty where all are. */
    Optional<ChangeEvent> newest(KeyBytes key) {
        return newestWhere(key, standing(event -> true));
    }

    /** Whether a row ever had a newer version, lost ones included. */
    boolean isSuperseded(KeyBytes key, RowVersion version) {
        return changes.getOrDefault(key, List.of()).stream()
                .anyMatch(event -> event.version().isAfter(version));
    }

    /** The newest changes of a row whose versions a client was told of, at most so many. */
    List<ChangeEvent> newestAcknowledged(KeyBytes key, int count) {
        List<ChangeEvent> ofRow = changes.getOrDefault(key, List.of());
        Deque<ChangeEvent> told = new ArrayDeque<>();
        for (int i = ofRow.size() - 1; i >= 0 && told.size() < count; i--) {
            if (acknowledged.contains(ofRow.get(i).version())) {
                told.addFirst(ofRow.get(i));
            }
        }
        return List.copyOf(told);
    }

    /**
     * By epoch before a given one, the newest change of it that a client was told of, lost or not; all of one that is
     * over may be lost, as far as a worker knows.
     */
    SortedMap<Long, ChangeEvent> promisedBefore(long epoch) {
        SortedMap<Long, ChangeEvent> promised = new TreeMap<>();
        for (List<ChangeEvent> ofRow : changes.values()) {
            for (ChangeEvent event : ofRow) {
                RowVersion version = event.version();
                if (version.epoch() < epoch && (acknowledged.contains(version) || lostPromises.contains(version))) {
                    promised.merge(
                            version.epoch(),
                            event,
                            (one, other) -> other.version().isAfter(one.version()) ? other : one);
                }
            }
        }
        return promised;
    }

    /** The newest change of an epoch that a client was told of; empty where there is none. */
    Optional<ChangeEvent> newestAcknowledged(long epoch) {
        return changes.keySet().stream()
                .flatMap(key -> newestAcknowledged(key, 1).stream())
                .filter(event -> event.version().epoch() == epoch)
                .max(Comparator.comparing(ChangeEvent::version));
    }

    /**
     * The newest change of a row committed at or before a time that is not lost.
     *
     * @param epoch of who says the time: the clock may have gone back in a later one
     */
    Optional<ChangeEvent> asOf(KeyBytes key, Instant time, long epoch) {
        return newestWhere(
                key,
                standing(event ->
                        !event.committedAt().isAfter(time) && event.version().epoch() <= epoch));
    }

    /** The newest change of a row that was committed, in truth, at or before a time, and is not lost. */
    Optional<ChangeEvent> asOfTrueTime(KeyBytes key, Instant time) {
        return newestWhere(
                key,
                standing(event ->
                        !Objects.requireNonNull(trueTimes.get(event.version())).isAfter(time)));
    }

    /** The newest change of a row with a version up to one that is not lost. */
    Optional<ChangeEvent> standingUpTo(KeyBytes key, RowVersion version) {
        return newestWhere(key, standing(event -> !event.version().isAfter(version)));
    }

    /** The change of a row with a version. */
    Optional<ChangeEvent> at(KeyBytes key, RowVersion version) {
        return newestWhere(key, event -> event.version().equals(version));
    }

    /** The newest change of a row before a version that is not lost. */
    Optional<ChangeEvent> standingBefore(KeyBytes key, RowVersion version) {
        return newestWhere(key, standing(event -> version.isAfter(event.version())));
    }

    /** What a row was when commit order was at a version, and then until it was at another one. */
    List<Optional<ChangeEvent>> states(KeyBytes key, RowVersion from, RowVersion to) {
        List<Optional<ChangeEvent>> states = new ArrayList<>();
        states.add(standingUpTo(key, from));
        changes.getOrDefault(key, List.of()).stream()
                .filter(standing(event ->
                        event.version().isAfter(from) && !event.version().isAfter(to)))
                .forEach(event -> states.add(Optional.of(event)));
        return states;
    }

    /** The newest change of a row before another. */
    Optional<ChangeEvent> before(KeyBytes key, RowVersion version) {
        return newestWhere(key, event -> version.isAfter(event.version()));
    }

    /** The newest change of a row with a version up to one, lost ones included. */
    Optional<ChangeEvent> upTo(KeyBytes key, RowVersion version) {
        return newestWhere(key, event -> !event.version().isAfter(version));
    }

    /** The changes of a row from a version on. */
    List<ChangeEvent> since(KeyBytes key, RowVersion version) {
        return changes.getOrDefault(key, List.of()).stream()
                .filter(event -> !version.isAfter(event.version()))
                .toList();
    }

    /** Whether a row is not there for somebody who has the given version of it, or none. */
    boolean isGone(KeyBytes key, Optional<RowVersion> held) {
        return held.isEmpty()
                || newestWhere(key, event -> event.version().equals(held.get()))
                        .filter(ChangeEvent.Deleted.class::isInstance)
                        .isPresent();
    }

    /** Whether a row was deleted by some version, or by a newer one. */
    boolean isDeletedSince(KeyBytes key, RowVersion version) {
        return newestWhere(key, event -> event instanceof ChangeEvent.Deleted && !version.isAfter(event.version()))
                .isPresent();
    }

    private Optional<ChangeEvent> newestWhere(KeyBytes key, Predicate<ChangeEvent> condition) {
        List<ChangeEvent> ofRow = changes.getOrDefault(key, List.of());
        for (int i = ofRow.size() - 1; i >= 0; i--) {
            if (condition.test(ofRow.get(i))) {
                return Optional.of(ofRow.get(i));
            }
        }
        return Optional.empty();
    }

    private Predicate<ChangeEvent> standing(Predicate<ChangeEvent> condition) {
        return event -> condition.test(event) && !lost.contains(event.version());
    }
}
