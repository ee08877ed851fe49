package dev.tidemark.deploy.simulation;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommittedChange;

/** Every change that was ever committed, and every version that a client was told of. */
final class History {
    private final Map<KeyBytes, List<ChangeEvent>> changes = new HashMap<>();
    private final Map<RowVersion, Instant> trueTimes = new HashMap<>();
    private final Set<RowVersion> acknowledged = new HashSet<>();

    /** A batch was committed, at a time that no process's clock needs to show. */
    void committed(List<CommittedChange> batch, Instant trueTime) {
        for (CommittedChange change : batch) {
            changes.computeIfAbsent(change.event().key(), key -> new ArrayList<>())
                    .add(change.event());
            trueTimes.put(change.event().version(), trueTime);
        }
    }

    /**
     * When the oldest change of a row was committed, in truth, that somebody lacks who has the given version. Whoever has
     * none is taken to have been told to forget the row when it was last deleted.
     */
    Optional<Instant> lackingSince(KeyBytes key, Optional<RowVersion> held) {
        RowVersion last = held.or(() ->
                        newestWhere(key, ChangeEvent.Deleted.class::isInstance).map(ChangeEvent::version))
                .orElse(RowVersion.NONE);
        List<ChangeEvent> ofRow = changes.getOrDefault(key, List.of());
        int first = ofRow.size();
        while (first > 0 && ofRow.get(first - 1).version().isAfter(last)) {
            first--;
        }
        return first == ofRow.size()
                ? Optional.empty()
                : Optional.of(
                        Objects.requireNonNull(trueTimes.get(ofRow.get(first).version())));
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

    /** The newest change of a row; every key of {@link #keys()} has one. */
    ChangeEvent newest(KeyBytes key) {
        List<ChangeEvent> ofRow = changes.getOrDefault(key, List.of());
        return ofRow.get(ofRow.size() - 1);
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

    /** The newest change of a row committed at or before a time. */
    Optional<ChangeEvent> asOf(KeyBytes key, Instant time) {
        return newestWhere(key, event -> !event.committedAt().isAfter(time));
    }

    /** The newest change of a row before another. */
    Optional<ChangeEvent> before(KeyBytes key, RowVersion version) {
        return newestWhere(key, event -> version.isAfter(event.version()));
    }

    /** The newest change of a row with a version up to one. */
    Optional<ChangeEvent> upTo(KeyBytes key, RowVersion version) {
        return newestWhere(key, event -> !event.version().isAfter(version));
    }

    /** The changes of a row from a version on. */
    List<ChangeEvent> since(KeyBytes key, RowVersion version) {
        return changes.getOrDefault(key, List.of()).stream()
                .filter(event -> !version.isAfter(event.version()))
                .toList();
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
}
