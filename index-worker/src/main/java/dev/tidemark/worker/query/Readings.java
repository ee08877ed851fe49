package dev.tidemark.worker.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;

/** Consistent views of all shards of a table, with what each of them keeps at least. */
final class Readings implements AutoCloseable {
    private final List<LiveShard.Reading> readings = new ArrayList<>();
    private final List<ShardLag> lags = new ArrayList<>();

    private Readings() {}

    /**
     * Views of a table's shards.
     *
     * @throws NotAnswerableException when this process does not hold all of them open
     */
    static Readings open(TableDefinition table, LagMeter lag) throws NotAnswerableException {
        Readings opened = new Readings();
        List<String> missing = new ArrayList<>();
        try {
            for (int partition = 0; partition < table.partitions(); partition++) {
                ShardId id = new ShardId(table.name(), partition);
                Optional<LiveShard> shard = lag.shards().find(id);
                Optional<LiveShard.Reading> reading = shard.flatMap(Readings::read);
                if (shard.isEmpty() || reading.isEmpty()) {
                    missing.add(partition + shard.map(Readings::reason).orElse(" (not assigned to this worker)"));
                    continue;
                }
                opened.readings.add(reading.get());
                opened.lags.add(lag.of(shard.get(), Optional.of(reading.get().status())));
            }
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        if (!missing.isEmpty()) {
            opened.close();
            throw new NotAnswerableException("this worker cannot answer for all of table " + table.name()
                    + ": it lacks partition " + String.join(", ", missing));
        }
        return opened;
    }

    List<ShardView> views() {
        return readings.stream().map(LiveShard.Reading::view).toList();
    }

    /** By partition. */
    List<ShardStatus> statuses() {
        return readings.stream().map(LiveShard.Reading::status).toList();
    }

    /** By partition. */
    List<ShardLag> lags() {
        return lags;
    }

    @Override
    public void close() {
        readings.forEach(reading -> reading.view().close());
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
