package dev.tidemark.worker.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.Phase;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;

/** Consistent views of a table's shards, with what each of them keeps at least. How old that is can be asked at any time. */
final class Readings implements AutoCloseable {
    private final LagMeter lag;
    private final List<Held> held = new ArrayList<>();
    private final List<Integer> missing = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();

    private Readings(LagMeter lag) {
        this.lag = lag;
    }

    /**
     * A shard that is here.
     *
     * @param status what the view holds at least
     */
    record Held(LiveShard shard, ShardStatus status, ShardView view) {
        int partition() {
            return shard.id().partition();
        }
    }

    /**
     * Views of a table's shards.
     *
     * @param partial whether those that are here will do
     * @param inMemory whether to fail where a disk would have to be read
     * @throws NotAnswerableException when this process does not hold what is needed
     */
    static Readings open(TableDefinition table, LagMeter lag, boolean partial, boolean inMemory)
            throws NotAnswerableException {
        Readings opened = new Readings(lag);
        try {
            for (int partition = 0; partition < table.partitions(); partition++) {
                opened.add(new ShardId(table.name(), partition), inMemory);
            }
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        boolean enough = opened.missing.isEmpty() || (partial && !opened.held.isEmpty());
        if (!enough) {
            opened.close();
            throw new NotAnswerableException(
                    "this worker cannot answer for all of table " + table.name() + ": it lacks partition "
                            + String.join(", ", opened.reasons),
                    Optional.of(Freshness.unknown(opened.missing)));
        }
        return opened;
    }

    /** In the order of partitions. */
    List<Held> held() {
        return held;
    }

    List<Integer> missing() {
        return missing;
    }

    /** How far behind the views are now, by partition. */
    Map<Integer, ShardLag> lags() {
        Map<Integer, ShardLag> lags = new TreeMap<>();
        held.forEach(one -> lags.put(one.partition(), lag.of(one.shard(), Optional.of(one.status()))));
        return lags;
    }

    /** The quarantined rows of the views, the first of them by name. Reads nothing where there are none. */
    Freshness.Quarantined quarantined(int most) {
        long count = 0;
        List<Freshness.Quarantined.Row> rows = new ArrayList<>();
        for (Held one : held) {
            long here = one.status().checkpoint().quarantined();
            count += here;
            if (here > 0 && rows.size() < most) {
                for (QuarantinedRecord record : one.view().quarantine(most - rows.size())) {
                    rows.add(new Freshness.Quarantined.Row(record.record().key(), one.partition(), record.reason()));
                }
            }
        }
        return count == 0 ? Freshness.Quarantined.NONE : new Freshness.Quarantined(count, rows);
    }

    /** How many rows a generation cannot hold, where it is degraded in some of the views; empty where it is in none. */
    Optional<Long> refusedWhereDegraded(Generation generation) {
        List<GenerationStatus> statuses = held.stream()
                .flatMap(one -> one.status().checkpoint().generation(generation.id()).stream())
                .toList();
        return statuses.stream().anyMatch(status -> status.phase() instanceof Phase.Degraded)
                ? Optional.of(statuses.stream()
                        .mapToLong(status -> status.tally().refused())
                        .sum())
                : Optional.empty();
    }

    @Override
    public void close() {
        held.forEach(one -> one.view().close());
    }

    private void add(ShardId id, boolean inMemory) {
        Optional<LiveShard> shard = lag.shards().find(id);
        Optional<LiveShard.Reading> reading = shard.flatMap(Readings::read);
        if (shard.isPresent() && reading.isPresent()) {
            ShardView opened = reading.get().view();
            ShardView view = inMemory ? opened.inMemory() : opened;
            held.add(new Held(shard.get(), reading.get().status(), view));
            // The view may be newer than the status, and what is in quarantine must be that of the view.
            int last = held.size() - 1;
            held.set(
                    last,
                    new Held(shard.get(), withQuarantineOf(view, reading.get().status()), view));
        } else {
            missing.add(id.partition());
            reasons.add(id.partition() + shard.map(Readings::reason).orElse(" (not assigned to this worker)"));
        }
    }

    private static ShardStatus withQuarantineOf(ShardView view, ShardStatus status) {
        return new ShardStatus(
                status.checkpoint().withQuarantined(view.checkpoint().quarantined()),
                status.restoring(),
                status.digests());
    }

    private static Optional<LiveShard.Reading> read(LiveShard shard) {
        try {
            return shard.read();
        } catch (ShardClosedException e) {
            return Optional.empty();
        }
    }

    private static String reason(LiveShard shard) {
        return shard.failure().map(failure -> " (failed: " + failure + ")").orElse(" (being opened)");
    }
}
