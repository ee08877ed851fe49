package dev.tidemark.worker.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;

/**
 * Consistent views of a table's shards, with what each of them keeps at least. How old that is can be asked at any
 * time.
 */
final class QuerySnapshot implements AutoCloseable {
    private final LagMeter lag;
    private final Generation generation;
    private final List<Held> held = new ArrayList<>();
    private final List<Integer> missing = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private boolean restoring;

    private QuerySnapshot(LagMeter lag, Generation generation) {
        this.lag = lag;
        this.generation = generation;
    }

    /**
     * A shard that is here.
     *
     * @param status what the view holds at least
     */
    record Held(OpenShard shard, ShardStatus status, ShardView view) {
        int partition() {
            return shard.id().partition();
        }
    }

    /**
     * Views of the shards that a question is about. One that is built from nothing is missing until it has everything
     * again.
     *
     * @param inMemory whether to fail where a disk would have to be read
     * @throws NotAnswerableException when this process does not hold what is needed
     */
    static QuerySnapshot open(IndexQuery query, LagMeter lag, boolean inMemory) throws NotAnswerableException {
        TableDefinition table = query.index().home();
        QuerySnapshot opened = new QuerySnapshot(lag, query.index().generation());
        try {
            for (int partition : query.partitions()) {
                opened.add(new ShardId(table.name(), partition), inMemory);
            }
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        boolean enough = opened.missing.isEmpty() || (query.partial() && !opened.held.isEmpty());
        if (!enough) {
            opened.close();
            throw new NotAnswerableException(
                    "this worker cannot answer for all of " + DerivedTable.inWords(table.name())
                            + ": it lacks partition " + String.join(", ", opened.reasons),
                    Optional.of(opened.freshness(Map.of(), Freshness.Quarantined.NONE)));
        }
        return opened;
    }

    /** In the order of partitions. */
    List<Held> held() {
        return held;
    }

    /** How recent what is read from the views is, given how far behind they are and what of them is in quarantine. */
    Freshness freshness(Map<Integer, ShardLag> lags, Freshness.Quarantined quarantined) {
        Freshness freshness = Freshness.of(List.copyOf(lags.values()), missing, quarantined);
        return restoring ? freshness.restoring() : freshness;
    }

    /** How far behind the views are now, by partition. */
    Map<Integer, ShardLag> lags() {
        Map<Integer, ShardLag> lags = new TreeMap<>();
        held.forEach(one -> lags.put(one.partition(), lag.of(one.shard(), Optional.of(one.status()))));
        return lags;
    }

    /** By partition, the version up to which the views are complete. */
    SortedMap<Integer, RowVersion> through() {
        SortedMap<Integer, RowVersion> through = new TreeMap<>();
        held.forEach(one -> through.put(
                one.partition(), one.status().checkpoint().progress().through()));
        return through;
    }

    /** The quarantined rows of the views, the first of them by name. Reads nothing where there are none. */
    Freshness.Quarantined quarantined(int most) {
        long count = 0;
        List<Freshness.Quarantined.Row> rows = new ArrayList<>();
        for (Held one : held) {
            long here = one.status().checkpoint().quarantined();
            count += here;
            if (here > 0 && rows.size() < most) {
                one.view().quarantinedNames(name -> {
                    rows.add(new Freshness.Quarantined.Row(name.key(), one.partition(), name.reason()));
                    return rows.size() < most;
                });
            }
        }
        return count == 0 ? Freshness.Quarantined.NONE : new Freshness.Quarantined(count, rows);
    }

    /** How many rows a generation cannot hold, where it is degraded in some of the views; empty where it is in none. */
    Optional<Long> refusedWhereDegraded(Generation generation) {
        long refused = 0;
        boolean degraded = false;
        for (Held one : held) {
            Optional<GenerationStatus> status = one.status().checkpoint().generation(generation.id());
            if (status.isPresent()) {
                degraded |= status.get().phase() instanceof GenerationState.Degraded;
                refused += status.get().tally().refused();
            }
        }
        return degraded ? Optional.of(refused) : Optional.empty();
    }

    @Override
    public void close() {
        held.forEach(one -> one.view().close());
    }

    private void add(ShardId id, boolean inMemory) {
        Optional<OpenShard> shard = lag.shards().find(id);
        Optional<OpenShard.ShardSnapshot> reading = shard.flatMap(OpenShard::readIfOpen);
        if (shard.isPresent() && reading.isPresent()) {
            add(shard.get(), reading.get(), inMemory);
        } else {
            restoring |= shard.filter(OpenShard::isRebuilding).isPresent();
            lacks(id, shard.map(QuerySnapshot::reason).orElse("not assigned to this worker"));
        }
    }

    private void add(OpenShard shard, OpenShard.ShardSnapshot reading, boolean inMemory) {
        ShardView view = inMemory ? reading.view().inMemory() : reading.view();
        held.add(new Held(shard, reading.status(), view));
        int last = held.size() - 1;
        ShardCheckpoint shown = view.checkpoint();
        if (shown.isRestoring(generation.id())) {
            held.remove(last);
            view.close();
            restoring = true;
            lacks(shard.id(), "restoring: built again from its topic, at offset " + shown.nextOffset());
            return;
        }
        // The view may be newer than the status, and what is in quarantine must be that of the view.
        held.set(last, new Held(shard, withQuarantineOf(shown, reading.status()), view));
    }

    private void lacks(ShardId id, String reason) {
        missing.add(id.partition());
        reasons.add(id.partition() + " (" + reason + ")");
    }

    private static ShardStatus withQuarantineOf(ShardCheckpoint shown, ShardStatus status) {
        return status.with(status.checkpoint().withQuarantined(shown.quarantined()));
    }

    private static String reason(OpenShard shard) {
        return shard.failure()
                .map(failure -> "failed: " + failure)
                .orElse(shard.isRebuilding() ? "restoring: about to be built again from its topic" : "being opened");
    }
}
