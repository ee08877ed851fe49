package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DerivedRow;
import dev.tidemark.worker.store.RowState;

/**
 * Everything that is known of one row in one generation of an index.
 *
 * @param from every change up to this one would show in the fact
 * @param fact the row's version in its table and what it gives there; empty when the table lacks the row
 * @param state what the shard knows of the row; as of a moment by which every change that shows in the fact was applied
 * @param found entries of the row that are in the index, with what they carry; in the same view as the state
 * @param late whether the fact was read after the state, so that it shows every change that the state can hold
 */
record RowObservation(
        int partition,
        KeyBytes primaryKey,
        long generation,
        RowVersion from,
        Optional<Fact> fact,
        Optional<RowState> state,
        SortedMap<KeyBytes, KeyBytes> found,
        boolean late) {
    /** Objects around the bytes of a key. */
    private static final long KEY_OBJECTS = 64;

    /** A row of the table. */
    record Fact(RowVersion version, DerivedRow derived) {}

    /**
     * Whether the shard knows of a change that the fact was read too early for. Then the fact says nothing about it.
     */
    boolean isInFlux() {
        return !late
                && version()
                        .filter(version -> version.isAfter(from) && isPastFact(version))
                        .isPresent();
    }

    /** Whether the shard holds a version of the row that the writer never gave. */
    boolean isForeign() {
        return version()
                .filter(this::isPastFact)
                .filter(version -> version.isAfter(from) ? late : fact.isPresent())
                .isPresent();
    }

    /** The same beside a fact that was read after the state. */
    RowObservation beside(RowVersion laterFrom, Optional<Fact> laterFact) {
        return new RowObservation(partition, primaryKey, generation, laterFrom, laterFact, state, found, true);
    }

    private boolean isPastFact(RowVersion version) {
        return fact.isEmpty() || version.isAfter(fact.get().version());
    }

    /** Bytes that what is known of the row's entries takes, about. */
    long bytes() {
        long[] bytes = {0};
        fact.ifPresent(row -> bytes[0] += row.derived().bytes());
        found.forEach((key, carried) -> bytes[0] += 2 * KEY_OBJECTS + key.length() + carried.length());
        state.flatMap(known -> known.in(generation))
                .ifPresent(known -> known.keys().forEach(key -> bytes[0] += KEY_OBJECTS + key.length()));
        return bytes[0];
    }

    /** Whether the shard takes the row to be there. */
    boolean isLive() {
        return state.filter(RowState::isLive).isPresent();
    }

    Optional<RowVersion> version() {
        return state.map(RowState::version);
    }

    Optional<RowVersion> factVersion() {
        return fact.map(Fact::version);
    }

    /** What the row state says, as whole entry keys with fingerprints. */
    Map<KeyBytes, Long> stated() {
        return state.map(known -> entries(known, primaryKey, generation)).orElse(new TreeMap<>());
    }

    /** What the table says, likewise. */
    Map<KeyBytes, Long> derived() {
        SortedMap<KeyBytes, Long> entries = new TreeMap<>();
        fact.ifPresent(row -> row.derived()
                .keys()
                .forEach(key -> entries.put(key, row.derived().entries().fingerprint())));
        return entries;
    }

    /** What the table says that each entry of the row carries. */
    Optional<KeyBytes> carried() {
        return fact.map(row -> row.derived().carried());
    }

    /** The entries of a row by its state. */
    static SortedMap<KeyBytes, Long> entries(RowState state, KeyBytes primaryKey, long generation) {
        SortedMap<KeyBytes, Long> entries = new TreeMap<>();
        state.in(generation)
                .ifPresent(
                        known -> known.keys().forEach(key -> entries.put(key.concat(primaryKey), known.fingerprint())));
        return entries;
    }

    /** Every entry key at which something of the row should be looked for. */
    static List<KeyBytes> places(Map<KeyBytes, Long> stated, Optional<Fact> fact) {
        SortedMap<KeyBytes, Long> places = new TreeMap<>(stated);
        fact.ifPresent(row -> row.derived().keys().forEach(key -> places.put(key, 0L)));
        return List.copyOf(places.keySet());
    }
}
