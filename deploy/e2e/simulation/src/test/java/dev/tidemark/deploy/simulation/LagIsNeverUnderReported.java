package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.writer.commit.SourcePosition;

/**
 * The reported lag is never smaller than the real one: whatever a shard says it is complete up to, by time and by
 * version, every row is there in the state it had then, or a newer one; and how old it says it is, by clocks that may
 * be an hour off, is at least the true age of the oldest change that it lacks.
 */
final class LagIsNeverUnderReported implements Guarantee {
    /** Commits of one moment get stamps that are microseconds apart. */
    private static final Duration STAMPS = Duration.ofMillis(1);

    /** So much the age of the oldest change may hide, because nobody knows yet of one that is not published. */
    private static final Duration UNHEARD = Duration.ofMillis(300);

    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        History history = watched.history();
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            Optional<OpenShard.ShardSnapshot> reading = watched.read(partition);
            if (reading.isPresent()) {
                try (var view = reading.get().view()) {
                    Optional<Duration> age = watched.freshness(partition);
                    Optional<Duration> oldest =
                            watched.oldestUnapplied(partition).map(UNHEARD::plus);
                    Progress told = reading.get().status().checkpoint().progress();
                    for (KeyBytes key : history.keys()) {
                        if (watched.isByIndex()) {
                            checkDerived(watched, partition, key, reading.get(), violations);
                        } else if (watched.table().partitionOf(key) == partition) {
                            Optional<RowVersion> held =
                                    view.versions(List.of(key)).get(0);
                            check(history, asOf(history, key, told), held, "time", violations);
                            check(history, history.standingUpTo(key, told.through()), held, "version", violations);
                            age.ifPresent(young -> checkAge(watched, key, held, young, "is no", violations));
                            oldest.ifPresent(young -> checkAge(watched, key, held, young, "lacks nothing", violations));
                        }
                    }
                    age.ifPresent(young -> checkSource(watched, reading.get().view(), young, violations));
                }
            }
        }
        return violations;
    }

    /** A partition of a global index has the rows that have entries in it. */
    private static void checkDerived(
            Watched watched, int partition, KeyBytes key, OpenShard.ShardSnapshot reading, List<String> violations) {
        History history = watched.history();
        Progress told = reading.status().checkpoint().progress();
        Predicate<ChangeEvent> isHere =
                event -> event instanceof ChangeEvent.Upserted row && watched.holds(partition, row);
        Optional<RowVersion> held = reading.view().versions(List.of(key)).get(0);
        boolean gone = held.flatMap(version -> history.upTo(key, version))
                .filter(isHere)
                .isEmpty();
        // It may know nothing of a row that has left it since, as of one that was deleted.
        Predicate<ChangeEvent> isDue = isHere.and(
                event -> !gone || history.since(key, event.version()).stream().allMatch(isHere));
        check(history, asOf(history, key, told).filter(isDue), held, "time", violations);
        check(history, history.standingUpTo(key, told.through()).filter(isDue), held, "version", violations);
    }

    private static Optional<ChangeEvent> asOf(History history, KeyBytes key, Progress told) {
        return history.asOf(key, told.completeUpTo(), told.through().epoch());
    }

    private static void checkAge(
            Watched watched,
            KeyBytes key,
            Optional<RowVersion> held,
            Duration told,
            String what,
            List<String> violations) {
        watched.history()
                .lackingSince(key, held)
                .map(since -> Duration.between(since, watched.trueTime()))
                .filter(age -> age.compareTo(told.plus(STAMPS)) > 0)
                .ifPresent(age -> violations.add("says that it " + what + " older than " + told
                        + ", but lacks a change of " + key + " for " + age));
    }

    /** The lag of a table that follows a source reaches back to the source. */
    private static void checkSource(Watched watched, ShardView view, Duration told, List<String> violations) {
        Optional<SimulatedShop> shop = watched.shop();
        if (shop.isEmpty()) {
            return;
        }
        Optional<SourcePosition> stored = watched.writer().facts().sourcePosition(SimulatedShop.NAME);
        for (KeyBytes key : shop.get().keys()) {
            Optional<RowVersion> held = view.versions(List.of(key)).get(0);
            shop.get()
                    .lackingSince(key, stored, held, version -> isThere(watched.history(), key, version, held))
                    .map(since -> Duration.between(since, watched.trueTime()))
                    .filter(age -> age.compareTo(told.plus(STAMPS)) > 0)
                    .ifPresent(age -> violations.add("says that it is " + told + " old, but lacks a change of " + key
                            + " of its source for " + age));
        }
    }

    private static void check(
            History history, Optional<ChangeEvent> due, Optional<RowVersion> held, String by, List<String> violations) {
        if (due.isEmpty()) {
            return;
        }
        ChangeEvent event = due.get();
        if (!isThere(history, event.key(), event.version(), held)) {
            violations.add("complete by " + by + ", but the shard holds " + held + " of " + event);
        }
    }

    /**
     * Whether a shard that holds some version of a row, or none, has what another version did. It may know nothing of a
     * row because it was told to forget one that was deleted, or of an older delete only.
     */
    private static boolean isThere(History history, KeyBytes key, RowVersion wanted, Optional<RowVersion> held) {
        return held.filter(version -> !wanted.isAfter(version)).isPresent()
                || wanted.equals(RowVersion.NONE)
                || (history.isGone(key, held) && history.isDeletedSince(key, wanted));
    }
}
