package dev.tidemark.worker.group;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.PolledValue;
import dev.tidemark.worker.store.ShardId;

/**
 * Which other workers answer for which shards. It may be out of date; a worker that is asked for what it does not hold
 * refuses, so a wrong route never makes a wrong answer. For any thread.
 */
public final class ShardRoutes {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final int LOOKS = 3;
    private static final int MAX_PORT = 65_535;

    private final WorkerIdentity self;
    private final String replicaGroup;
    private final OwnerSource source;
    private final Supplier<? extends Collection<String>> tables;
    private final PolledValue<Known> known;

    /** The note of a worker when it failed to answer; it is asked last until there is another note. */
    private final Map<ShardId, Map<URI, OffsetNote>> suspects = new ConcurrentHashMap<>();

    /**
     * The notes of one reading.
     *
     * @param tables of which notes were read
     * @param live replica groups that have members
     * @param others those of other workers, by shard
     * @param shared tables of which another worker has something
     */
    private record Known(
            Set<String> tables,
            List<Owner> all,
            Set<String> live,
            Map<ShardId, List<Owner>> others,
            Set<String> shared) {}

    /**
     * Nothing is known yet.
     *
     * @param self whose rack is preferred, where it knows one
     * @param replicaGroup that of this worker, which is preferred next
     * @param tables names of the tables that there are
     * @param wakeUp wakes the thread that runs {@link #agent()}
     */
    public ShardRoutes(
            WorkerIdentity self,
            String replicaGroup,
            OwnerSource source,
            Supplier<? extends Collection<String>> tables,
            Clock clock,
            Runnable wakeUp) {
        this.self = self;
        this.replicaGroup = replicaGroup;
        this.source = source;
        this.tables = tables;
        this.known = new PolledValue<>(
                "routes",
                INTERVAL,
                this::read,
                new Known(Set.of(), List.of(), Set.of(), Map.of(), Set.of()),
                clock,
                wakeUp);
    }

    private Known read() throws InterruptedException {
        Set<String> asked = new LinkedHashSet<>(tables.get());
        OwnerSource.Reading read = source.read(asked);
        List<Owner> all = read.owners().stream().filter(this::isTrusted).toList();
        Map<ShardId, List<Owner>> others =
                all.stream().filter(owner -> !isSelf(owner)).collect(Collectors.groupingBy(Owner::shard));
        suspects.keySet().retainAll(others.keySet());
        Set<String> shared = others.keySet().stream().map(ShardId::table).collect(Collectors.toSet());
        // Of the groups that could not be read, the notes of before are here: those of the tables that there were then.
        return new Known(read.whole() ? asked : known.get().tables(), all, read.live(), others, shared);
    }

    /** Reads the notes. To be run by one thread. */
    public Agent agent() {
        return known;
    }

    /** Whether the notes of all tables were read. */
    public boolean isKnown() {
        return known.get().tables().containsAll(tables.get());
    }

    /**
     * Whether the notes of a table were read; true of a table that is not defined, which has none. Where they were not,
     * requests that they are read now: a table may have been defined since the last reading.
     */
    public boolean isKnown(String table) {
        boolean read = known.get().tables().contains(table) || !tables.get().contains(table);
        if (!read) {
            readSoon();
        }
        return read;
    }

    /** Requests that the notes are read now. */
    public void readSoon() {
        known.request();
    }

    /** Requests that the notes are read now, and waits briefly for that. */
    public void look() {
        known.look();
    }

    /** All owners that are known, this worker among them. */
    public List<Owner> all() {
        return known.get().all();
    }

    /** The other workers of this worker's replica group. */
    public Set<URI> groupMembers() {
        return members(replicaGroup);
    }

    /** The other workers of a replica group. */
    public Set<URI> members(String group) {
        return others(owner -> owner.replicaGroup().equals(group));
    }

    /** Whether this worker is of a replica group. */
    public boolean isOwn(String group) {
        return group.equals(replicaGroup);
    }

    /** All other workers of groups with members. */
    public Set<URI> others() {
        return others(owner -> true);
    }

    /** Replica groups that have members, this worker's among them; some may have noted nothing yet. */
    public Set<String> groups() {
        Set<String> groups = new TreeSet<>(known.get().live());
        groups.add(replicaGroup);
        return groups;
    }

    private Set<URI> others(Predicate<Owner> which) {
        return all().stream()
                .filter(owner -> owner.live() && !isSelf(owner) && which.test(owner))
                .map(owner -> owner.note().url())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether no other worker has anything of a table, as far as is known; not before its notes were read. */
    public boolean isAlone(String table) {
        Known now = known.get();
        return now.tables().contains(table) && !now.shared().contains(table);
    }

    /**
     * Whether another worker that may live notes that a generation answers from a shard; empty where none notes
     * anything of it. That one which did not answer has it says nothing, but that it does not have it still counts. The
     * group of this worker has members, even if it had none when the groups were listed last.
     */
    public Optional<Boolean> serves(ShardId shard, long generation) {
        List<Owner> members = others(shard)
                .filter(owner -> owner.live() || isOwn(owner.replicaGroup()))
                .toList();
        if (members.stream()
                .filter(owner -> !isSuspect(owner))
                .anyMatch(owner -> owner.note().generations().contains(generation))) {
            return Optional.of(true);
        }
        return members.stream()
                .filter(owner -> !owner.note().generations().contains(generation))
                .findFirst()
                .map(lacking -> false);
    }

    /** The other workers to ask for a shard, the best first. */
    public List<Owner> of(ShardId shard) {
        Comparator<Owner> best = Comparator.comparing(this::isSuspect)
                .thenComparing(owner -> !owner.live())
                .thenComparing(
                        owner -> !self.rack().isEmpty() && !owner.note().rack().equals(self.rack()))
                .thenComparing(owner -> !owner.replicaGroup().equals(replicaGroup))
                .thenComparing(owner -> owner.note().progress().completeUpTo(), Comparator.reverseOrder());
        return others(shard).sorted(best).toList();
    }

    /** Up to when others than an owner, of which none is known not to answer, have noted to have its shard. */
    public Optional<Instant> completeUpTo(Owner but) {
        return others(but.shard())
                .filter(Owner::live)
                .filter(owner -> !isSuspect(owner) && !owner.worker().equals(but.worker()))
                .flatMap(owner -> owner.note().progress().watermark().stream())
                .max(Comparator.naturalOrder());
    }

    /** Whether a worker did not answer since its note. */
    private boolean isSuspect(Owner owner) {
        return owner.note()
                .equals(suspects.getOrDefault(owner.shard(), Map.of())
                        .get(owner.note().url()));
    }

    private Stream<Owner> others(ShardId shard) {
        return known.get().others().getOrDefault(shard, List.of()).stream();
    }

    /** How far the best other worker has noted to be with a shard; unknown where none has it. */
    public Progress progress(ShardId shard) {
        return of(shard).stream()
                .findFirst()
                .map(owner -> owner.note().progress())
                .orElse(Progress.UNKNOWN);
    }

    /** The other workers that may have files of a shard: those that note it, then the rest of the replica group. */
    public List<URI> holders(ShardId shard) {
        look();
        for (int more = 1; more < LOOKS && all().isEmpty(); more++) {
            // A worker that has just started may not have read them yet.
            look();
        }
        return Stream.concat(
                        of(shard).stream()
                                .filter(Owner::live)
                                .map(owner -> owner.note().url()),
                        groupMembers().stream())
                .distinct()
                .toList();
    }

    /** A worker did not answer for a shard: others are asked first, until it notes something new. */
    public void suspect(Owner owner) {
        suspects.computeIfAbsent(owner.shard(), shard -> new ConcurrentHashMap<>())
                .put(owner.note().url(), owner.note());
    }

    /**
     * A Kafka user who may commit offsets of the group can note any address. So a worker that has a certificate asks
     * only workers that have one too, which its authorities have signed. What is no address of a host is left out.
     */
    private boolean isTrusted(Owner owner) {
        URI url = owner.note().url();
        return String.valueOf(self.url().getScheme()).equals(url.getScheme())
                && url.getHost() != null
                && url.getPort() <= MAX_PORT;
    }

    private boolean isSelf(Owner owner) {
        return owner.note().url().equals(self.url()) && owner.note().instance().equals(self.instance());
    }
}
