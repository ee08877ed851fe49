package dev.tidemark.writer.commit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.digest.RowTerms;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * The digests that the tables give, moved on change by change. A generation is known, or begun: of such a one only what
 * changed since is here, until what was there before is added. No clock, no disk; for one thread.
 */
final class DigestLedger {
    private static final Logger LOGGER = LoggerFactory.getLogger(DigestLedger.class);

    private final Map<DigestKey, Digest> sums = new HashMap<>();
    private final Set<Long> known = new HashSet<>();
    private final Set<Long> begun = new HashSet<>();
    private Map<String, Followed> tables = Map.of();

    /** By the tables that they are derived from. */
    private Map<String, List<Followed>> derived = Map.of();

    /** A table and its generations. */
    record Followed(TableDefinition table, List<Generation> built, Set<Long> generations, RowTerms terms) {
        static Followed of(TableDefinition table, List<Generation> built) {
            Set<Long> numbers = built.stream().map(Generation::id).collect(Collectors.toSet());
            return new Followed(table, built, numbers, new RowTerms(built));
        }

        /** The same with some of its generations. */
        Followed only(Set<Long> some) {
            return of(
                    table, built.stream().filter(one -> some.contains(one.id())).toList());
        }

        /** What was derived for its generations. */
        Map<Long, EntryTerms> of(Map<Long, EntryTerms> terms) {
            Map<Long, EntryTerms> own = new HashMap<>(terms);
            own.keySet().retainAll(generations);
            return own;
        }

        /** What a row gives to the partitions of the table. */
        void digests(
                KeyBytes key, RowVersion version, Map<Long, EntryTerms> terms, BiConsumer<DigestKey, Digest> given) {
            boolean byIndex = DerivedTable.isByIndex(table.name());
            for (Generation generation : built) {
                EntryTerms own = terms.getOrDefault(generation.id(), EntryTerms.NONE);
                Map<Integer, Digest> digests = byIndex
                        ? own.at(version, generation.definition())
                        : Map.of(table.partitionOf(key), own.at(version));
                digests.forEach((partition, digest) -> given.accept(new DigestKey(generation.id(), partition), digest));
            }
        }
    }

    /** Follows the generations of these tables from now on, and forgets all others; returns their numbers. */
    Set<Long> follow(Collection<DesiredTable> plans) {
        Map<String, Followed> followed = new HashMap<>();
        Map<String, List<Followed>> byBase = new HashMap<>();
        Set<Long> all = new HashSet<>();
        for (DesiredTable plan : plans) {
            Followed one = Followed.of(plan.definition(), plan.generations());
            followed.put(plan.name(), one);
            if (DerivedTable.is(plan.name())) {
                byBase.computeIfAbsent(DerivedTable.base(plan.name()), base -> new ArrayList<>())
                        .add(one);
            }
            all.addAll(one.generations());
        }
        tables = followed;
        derived = byBase;
        known.retainAll(all);
        begun.retainAll(all);
        sums.keySet().removeIf(key -> !all.contains(key.generation()));
        return all;
    }

    /** Takes over what was stored: it is right for each generation of which no partition lacks. */
    void load(Map<DigestKey, Digest> stored) {
        for (Followed followed : tables.values()) {
            for (long generation : followed.generations()) {
                List<DigestKey> keys = keys(followed, generation);
                if (stored.keySet().containsAll(keys)) {
                    keys.forEach(key -> sums.put(key, stored.getOrDefault(key, Digest.EMPTY)));
                    known.add(generation);
                }
            }
        }
    }

    Collection<Followed> tables() {
        return tables.values();
    }

    /** The generations of a table of which nothing is known and that have not been begun. */
    Set<Long> lacking(Followed followed) {
        Set<Long> lacking = new HashSet<>(followed.generations());
        lacking.removeAll(known);
        lacking.removeAll(begun);
        return lacking;
    }

    /** From here on changes count for these generations. */
    void begin(Set<Long> generations) {
        begun.addAll(generations);
    }

    /** What was there before the beginning is known now; the digests of the generation, of all partitions. */
    Map<DigestKey, Digest> complete(long generation, Map<DigestKey, Digest> base) {
        Map<DigestKey, Digest> complete = new HashMap<>();
        if (begun.remove(generation)) {
            known.add(generation);
            tables.values().stream()
                    .filter(followed -> followed.generations().contains(generation))
                    .flatMap(followed -> keys(followed, generation).stream())
                    .forEach(key -> {
                        Digest sum = sums.merge(key, base.getOrDefault(key, Digest.EMPTY), Digest::plus);
                        complete.put(key, sum);
                    });
        }
        return complete;
    }

    /** What was there before the beginning will not be known: as if it had not been begun. */
    void abandon(long generation) {
        if (begun.remove(generation)) {
            sums.keySet().removeIf(key -> key.generation() == generation);
        }
    }

    /**
     * Adds what a change does to the digests.
     *
     * @param terms what was derived of the new row, by generation; the row is derived where a generation lacks
     * @param before the row just before the change; null where there was none
     * @return the change with the digests of its row
     */
    CommittedChange count(
            CommittedChange change, Map<Long, EntryTerms> terms, @Nullable StoredRow before, DigestDelta delta) {
        Followed followed = tables.get(change.table());
        if (followed == null) {
            return change;
        }
        derived.getOrDefault(change.table(), List.of()).forEach(one -> countDerived(one, change, terms, before, delta));
        if (before != null) {
            ofStored(followed, change, before)
                    .ifPresentOrElse(
                            old -> followed.generations()
                                    .forEach(generation -> add(
                                            generation,
                                            change.partition(),
                                            Digest.EMPTY.minus(old.getOrDefault(generation, Digest.EMPTY)),
                                            delta)),
                            () -> delta.lose(followed.generations()));
        }
        if (change.event() instanceof ChangeEvent.Upserted row) {
            Map<Long, Digest> digests = at(row.version(), ofNew(followed, terms, row, before));
            digests.forEach((generation, digest) -> add(generation, change.partition(), digest, delta));
            return change.with(digests);
        }
        return change;
    }

    /** A row that is committed once more as it was may be one that cannot be read; any other is. */
    private static Map<Long, EntryTerms> ofNew(
            Followed followed, Map<Long, EntryTerms> terms, ChangeEvent.Upserted row, @Nullable StoredRow before) {
        try {
            return terms.keySet().containsAll(followed.generations())
                    ? followed.of(terms)
                    : followed.terms().of(row.key(), row.row());
        } catch (RuntimeException e) {
            if (before != null && Arrays.equals(before.row().bytes(), row.row().bytes())) {
                return Map.of();
            }
            throw e;
        }
    }

    /** What a change does to the partitions of a derived table. */
    private void countDerived(
            Followed followed,
            CommittedChange change,
            Map<Long, EntryTerms> terms,
            @Nullable StoredRow before,
            DigestDelta delta) {
        KeyBytes key = change.event().key();
        if (before != null) {
            try {
                followed.digests(
                        key,
                        before.version(),
                        followed.terms().of(key, before.row()),
                        (at, digest) -> add(at.generation(), at.partition(), Digest.EMPTY.minus(digest), delta));
            } catch (RuntimeException e) {
                LOGGER.warn("A row of table {} as it is stored cannot be read", change.table(), e);
                delta.lose(followed.generations());
            }
        }
        if (change.event() instanceof ChangeEvent.Upserted row) {
            followed.digests(
                    key,
                    row.version(),
                    ofNew(followed, terms, row, before),
                    (at, digest) -> add(at.generation(), at.partition(), digest, delta));
        }
    }

    private void add(long generation, int partition, Digest digest, DigestDelta delta) {
        if (known.contains(generation) || begun.contains(generation)) {
            delta.add(new DigestKey(generation, partition), digest);
        }
    }

    /** Nothing is known of these generations any more. */
    void forget(Set<Long> generations) {
        known.removeAll(generations);
        begun.removeAll(generations);
        sums.keySet().removeIf(key -> generations.contains(key.generation()));
    }

    /** The known digests that changes move, as they are afterwards. */
    Map<DigestKey, Digest> after(Map<DigestKey, Digest> delta) {
        Map<DigestKey, Digest> after = new HashMap<>();
        delta.forEach((key, change) -> {
            if (known.contains(key.generation()) && !change.equals(Digest.EMPTY)) {
                after.put(key, sums.getOrDefault(key, Digest.EMPTY).plus(change));
            }
        });
        return after;
    }

    /** The changes have been made. */
    void apply(Map<DigestKey, Digest> delta) {
        delta.forEach((key, change) -> sums.merge(key, change, Digest::plus));
    }

    /** Whether anything is known. */
    boolean knowsAny() {
        return !known.isEmpty();
    }

    /** All that is known, by table and partition. */
    Map<String, List<SortedMap<Long, Digest>>> known() {
        Map<String, List<SortedMap<Long, Digest>>> all = new HashMap<>();
        for (Followed followed : tables.values()) {
            List<SortedMap<Long, Digest>> partitions = new ArrayList<>();
            for (int partition = 0; partition < followed.table().partitions(); partition++) {
                SortedMap<Long, Digest> ofPartition = new TreeMap<>();
                for (long generation : followed.generations()) {
                    if (known.contains(generation)) {
                        ofPartition.put(
                                generation, sums.getOrDefault(new DigestKey(generation, partition), Digest.EMPTY));
                    }
                }
                partitions.add(ofPartition);
            }
            all.put(followed.table().name(), partitions);
        }
        return all;
    }

    private static Map<Long, Digest> at(RowVersion version, Map<Long, EntryTerms> terms) {
        Map<Long, Digest> digests = new HashMap<>();
        terms.forEach((generation, given) -> digests.put(generation, given.at(version)));
        return digests;
    }

    /** What a stored row gives; empty where an earlier version stored it and this one cannot read it. */
    private static Optional<Map<Long, Digest>> ofStored(Followed followed, CommittedChange change, StoredRow row) {
        if (row.digests().keySet().containsAll(followed.generations())) {
            return Optional.of(row.digests());
        }
        try {
            return Optional.of(
                    at(row.version(), followed.terms().of(change.event().key(), row.row())));
        } catch (RuntimeException e) {
            LOGGER.warn("A row of table {} as it is stored cannot be read", change.table(), e);
            return Optional.empty();
        }
    }

    private static List<DigestKey> keys(Followed followed, long generation) {
        List<DigestKey> keys = new ArrayList<>();
        for (int partition = 0; partition < followed.table().partitions(); partition++) {
            keys.add(new DigestKey(generation, partition));
        }
        return keys;
    }
}
