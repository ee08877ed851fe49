package dev.tidemark.writer.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.catalog.TablePlan;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.digest.RowTerms;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/**
 * The digests that the tables give, moved on change by change. A generation is known, or begun: of such a one only what
 * changed since is here, until what was there before is added. No clock, no disk; for one thread.
 */
final class DigestLedger {
    private final Map<DigestKey, Digest> sums = new HashMap<>();
    private final Set<Long> known = new HashSet<>();
    private final Set<Long> begun = new HashSet<>();
    private Map<String, Followed> tables = Map.of();

    /** A table and its generations. */
    record Followed(TablePlan plan, Set<Long> generations, RowTerms terms) {
        static Followed of(TablePlan plan) {
            Set<Long> numbers = new HashSet<>();
            plan.generations().forEach(generation -> numbers.add(generation.id()));
            return new Followed(plan, numbers, new RowTerms(plan.generations()));
        }

        TableDefinition table() {
            return plan.definition();
        }

        /** What rows give to some of the generations only. */
        RowTerms terms(Set<Long> some) {
            return new RowTerms(plan.generations().stream()
                    .filter(generation -> some.contains(generation.id()))
                    .toList());
        }
    }

    /** Follows the generations of these tables from now on, and forgets all others. */
    void follow(Collection<TablePlan> plans) {
        Map<String, Followed> followed = new HashMap<>();
        Set<Long> all = new HashSet<>();
        for (TablePlan plan : plans) {
            followed.put(plan.name(), Followed.of(plan));
            plan.generations().stream().map(Generation::id).forEach(all::add);
        }
        tables = followed;
        known.retainAll(all);
        begun.retainAll(all);
        sums.keySet().removeIf(key -> !all.contains(key.generation()));
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

    /** What changes add to the digests that are known or begun, and take away. */
    Map<DigestKey, Digest> delta(List<RowStep> steps) {
        Map<DigestKey, Digest> delta = new HashMap<>();
        for (RowStep step : steps) {
            CommittedChange change = step.change();
            Followed followed = tables.get(change.table());
            if (followed != null) {
                KeyBytes key = change.event().key();
                step.before()
                        .ifPresent(old -> terms(followed, key, old.row(), old.version())
                                .forEach((generation, digest) -> delta.merge(
                                        new DigestKey(generation, change.partition()),
                                        Digest.EMPTY.minus(digest),
                                        Digest::plus)));
                if (change.event() instanceof ChangeEvent.Upserted row) {
                    terms(followed, key, row.row(), row.version())
                            .forEach((generation, digest) ->
                                    delta.merge(new DigestKey(generation, change.partition()), digest, Digest::plus));
                }
            }
        }
        delta.keySet().removeIf(key -> !known.contains(key.generation()) && !begun.contains(key.generation()));
        return delta;
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

    private static SortedMap<Long, Digest> terms(Followed followed, KeyBytes key, RowDocument row, RowVersion version) {
        SortedMap<Long, Digest> digests = new TreeMap<>();
        for (Map.Entry<Long, EntryTerms> one : followed.terms().of(key, row).entrySet()) {
            digests.put(one.getKey(), one.getValue().at(version));
        }
        return digests;
    }

    private static List<DigestKey> keys(Followed followed, long generation) {
        List<DigestKey> keys = new ArrayList<>();
        for (int partition = 0; partition < followed.table().partitions(); partition++) {
            keys.add(new DigestKey(generation, partition));
        }
        return keys;
    }
}
