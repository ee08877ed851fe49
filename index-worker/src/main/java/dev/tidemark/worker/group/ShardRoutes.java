package dev.tidemark.worker.group;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.PolledValue;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.worker.store.ShardId;

/**
 * Which other workers answer for which shards. It may be out of date; a worker that is asked for what it does not hold
 * refuses, so a wrong route never makes a wrong answer. For any thread.
 */
public final class ShardRoutes {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final WorkerIdentity self;
    private final String replicaGroup;
    private final PolledValue<Map<ShardId, List<Owner>>> owners;

    /** The note of a worker when it failed to answer; it is asked last until there is another note. */
    private final Map<ShardId, Map<URI, OffsetNote>> suspects = new ConcurrentHashMap<>();

    /**
     * Nothing is known yet.
     *
     * @param replicaGroup that of this worker, which is preferred
     * @param tables names of the tables that there are
     * @param wakeUp wakes the thread that runs {@link #agent()}
     */
    public ShardRoutes(
            WorkerIdentity self,
            String replicaGroup,
            OwnerSource source,
            Supplier<? extends Collection<String>> tables,
            Clock clock,
            WakeupSignal wakeUp) {
        this.self = self;
        this.replicaGroup = replicaGroup;
        this.owners = new PolledValue<>(
                "routes",
                INTERVAL,
                () -> source.read(tables.get()).stream()
                        .filter(this::isTrusted)
                        .collect(Collectors.groupingBy(Owner::shard)),
                Map.of(),
                clock,
                wakeUp);
    }

    /** Reads the notes. To be run by one thread. */
    public Agent agent() {
        return owners;
    }

    /** Requests that the notes are read now, and waits briefly for that. */
    public void look() {
        owners.look();
    }

    /** All owners that are known, this worker among them. */
    public List<Owner> all() {
        return owners.get().values().stream().flatMap(List::stream).toList();
    }

    /** The other workers of this worker's replica group. */
    public Set<URI> groupMembers() {
        return others(owner -> owner.replicaGroup().equals(replicaGroup));
    }

    /** All other workers of groups with members. */
    public Set<URI> others() {
        return others(owner -> true);
    }

    private Set<URI> others(Predicate<Owner> which) {
        return all().stream()
                .filter(owner -> owner.live() && !isSelf(owner) && which.test(owner))
                .map(owner -> owner.note().url())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether no other worker has anything of a table. */
    public boolean isAlone(String table) {
        return owners.get().entrySet().stream()
                .filter(entry -> entry.getKey().table().equals(table))
                .flatMap(entry -> entry.getValue().stream())
                .allMatch(this::isSelf);
    }

    /** The other workers to ask for a shard, the best first. */
    public List<Owner> of(ShardId shard) {
        Map<URI, OffsetNote> suspect = suspects.getOrDefault(shard, Map.of());
        Comparator<Owner> best = Comparator.comparing((Owner owner) ->
                        owner.note().equals(suspect.get(owner.note().url())))
                .thenComparing(owner -> !owner.live())
                .thenComparing(owner -> !owner.replicaGroup().equals(replicaGroup))
                .thenComparing(owner -> owner.note().progress().completeUpTo(), Comparator.reverseOrder());
        return owners.get().getOrDefault(shard, List.of()).stream()
                .filter(owner -> !isSelf(owner))
                .sorted(best)
                .toList();
    }

    /** A worker did not answer for a shard: others are asked first, until it notes something new. */
    public void suspect(Owner owner) {
        suspects.computeIfAbsent(owner.shard(), shard -> new ConcurrentHashMap<>())
                .put(owner.note().url(), owner.note());
    }

    /**
     * Who may commit offsets of the group may note any address. A worker that has a certificate shows its token only to
     * who has one too.
     */
    private boolean isTrusted(Owner owner) {
        return String.valueOf(self.url().getScheme()).equals(owner.note().url().getScheme());
    }

    private boolean isSelf(Owner owner) {
        return owner.worker().equals(self);
    }
}
