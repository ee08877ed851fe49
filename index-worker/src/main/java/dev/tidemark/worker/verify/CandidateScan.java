package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;

import org.jspecify.annotations.Nullable;

import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DerivedRow;
import dev.tidemark.worker.apply.RowDeriver;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.store.RowState;

/**
 * Walks the facts and the row states of every shard together, both in the order of primary keys, and suspects the rows
 * in which they do not agree. A state newer than the facts is suspected as well: whether the writer gave its version,
 * the second look finds out.
 */
final class CandidateScan implements AutoCloseable {
    /** One row out of this number is rechecked although it looks right. */
    private static final int SAMPLE = 100;

    private static final int PASSED_EVERY = 4_096;

    private final RowShards homes;
    private final Set<Long> generations;
    private final Recheck suspects;
    private final LongConsumer passed;
    private final Pacer patience;
    private final Map<Integer, Cursor> cursors = new TreeMap<>();
    private final RowVersion point;
    private long rows;

    /** A shard, and where the walk over its rows stands. */
    private record Cursor(ShardComparison shard, RowScan scan) {}

    /**
     * Creates a scan.
     *
     * @param homes where rows are
     * @param generations those that are compared
     * @param point the last change that the facts have
     * @param shards shards of this worker; facts of other shards are skipped
     * @param suspects receives rows that look wrong
     * @param passed receives the number of rows passed since its last call
     */
    CandidateScan(
            RowShards homes,
            Set<Long> generations,
            RowVersion point,
            List<ShardComparison> shards,
            Recheck suspects,
            LongConsumer passed,
            Pacer patience) {
        this.homes = homes;
        this.generations = generations;
        this.point = point;
        this.suspects = suspects;
        this.passed = passed;
        this.patience = patience;
        shards.forEach(shard -> cursors.put(
                shard.window().partition(), new Cursor(shard, shard.view().scanRows())));
    }

    /** Walks to the end; how many rows of the table belong to the shards. */
    long run(FactStream facts) throws CannotVerifyException, InterruptedException {
        for (StreamedFact fact = facts.next(); fact != null; fact = facts.next()) {
            boolean here = false;
            for (int partition : homes.of(fact)) {
                Cursor cursor = cursors.get(partition);
                if (cursor != null) {
                    see(cursor, fact);
                    here = true;
                }
            }
            // A sparse index has few rows of a long table, and the pass must still notice that it should end.
            if (!here) {
                patience.worked();
            }
        }
        for (Cursor cursor : cursors.values()) {
            passTo(cursor, null);
        }
        passed.accept(rows % PASSED_EVERY);
        return rows;
    }

    @Override
    public void close() {
        cursors.values().forEach(cursor -> cursor.scan().close());
    }

    /** Passes the states before a key, of which the table has no row. */
    private void passTo(Cursor cursor, @Nullable KeyBytes key) throws CannotVerifyException, InterruptedException {
        RowScan scan = cursor.scan();
        for (; scan.isValid() && (key == null || scan.primaryKey().compareTo(key) < 0); scan.next()) {
            KeyBytes primaryKey = scan.primaryKey();
            RowState state = scan.state();
            cursor.shard().add(primaryKey, state);
            patience.worked();
            if (state.isLive() || state.version().isAfter(point)) {
                suspect(cursor, primaryKey, generations);
            }
        }
    }

    private void see(Cursor cursor, StreamedFact fact) throws CannotVerifyException, InterruptedException {
        passTo(cursor, fact.key());
        compare(cursor, fact);
        if (++rows % PASSED_EVERY == 0) {
            passed.accept(PASSED_EVERY);
        }
        patience.worked();
    }

    private void compare(Cursor cursor, StreamedFact fact) throws CannotVerifyException, InterruptedException {
        RowScan scan = cursor.scan();
        if (!scan.isValid() || !scan.primaryKey().equals(fact.key())) {
            suspect(cursor, fact.key(), generations);
            return;
        }
        RowState state = scan.state();
        cursor.shard().add(fact.key(), state);
        scan.next();
        if (!state.isLive() || !state.version().equals(fact.version())) {
            suspect(cursor, fact.key(), generations);
        } else if (fact.row().isPresent()) {
            compare(cursor, fact, state);
        } else if (isSampled(fact.key())) {
            suspect(cursor, fact.key(), generations);
        }
    }

    private void compare(Cursor cursor, StreamedFact fact, RowState state)
            throws CannotVerifyException, InterruptedException {
        RowDeriver deriver = homes.deriver(cursor.shard().window().partition());
        SortedMap<Long, DerivedRow> derived = deriver.derive(
                fact.key(), deriver.fields().of(fact.row().orElseThrow().bytes()));
        for (Map.Entry<Long, DerivedRow> one : derived.entrySet()) {
            Optional<RowState.Entries> stated = state.in(one.getKey());
            RowState.Entries expected = one.getValue().entries();
            if (stated.isEmpty()
                    || stated.get().fingerprint() != expected.fingerprint()
                    || !stated.get().keys().equals(expected.keys())) {
                suspect(cursor, fact.key(), Set.of(one.getKey()));
            }
        }
    }

    /** Another part of the rows at every commit. */
    private boolean isSampled(KeyBytes key) {
        return Math.floorMod(key.hashCode() + point.sequence(), SAMPLE) == 0;
    }

    private void suspect(Cursor cursor, KeyBytes primaryKey, Set<Long> some)
            throws CannotVerifyException, InterruptedException {
        for (long generation : some) {
            suspects.add(new Recheck.Row(cursor.shard().window(), primaryKey), generation, Set.of());
        }
    }
}
