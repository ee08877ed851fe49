package dev.tidemark.worker.shard;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.runtime.GaugeValue;
import dev.tidemark.worker.store.Leftover;
import dev.tidemark.worker.store.Leftovers;

/**
 * Removes what is left of shards that went to another worker, once they would not be trusted if they came back. Until
 * then they stay, because coming back with them is quick. One thread runs it, any thread reads how much is left.
 */
public final class LeftoverShards implements Runnable {
    private static final Logger LOGGER = LoggerFactory.getLogger(LeftoverShards.class);

    private final Leftovers leftovers;
    private final Shards shards;
    private final Duration maxAbsence;
    private final BooleanSupplier settled;
    private final Clock clock;
    private volatile double bytes = Double.NaN;

    /**
     * What has not been looked for yet.
     *
     * @param maxAbsence how long a shard may be away and still be trusted, see {@link RebuildPolicy}
     * @param settled whether it is decided which partitions are this worker's
     */
    public LeftoverShards(
            Leftovers leftovers, Shards shards, Duration maxAbsence, BooleanSupplier settled, Clock clock) {
        this.leftovers = leftovers;
        this.shards = shards;
        this.maxAbsence = maxAbsence;
        this.settled = settled;
        this.clock = clock;
    }

    /** How much is left, as a metric. */
    public List<GaugeValue> readings() {
        return List.of(new GaugeValue(
                "shard.leftover.bytes",
                "Files of shards that are not this worker's at the moment; NaN before they were looked for.",
                () -> bytes));
    }

    @Override
    public void run() {
        long left = 0;
        for (Leftover leftover : leftovers.find()) {
            if (leftover.shard().filter(shards::isHeld).isEmpty() && !removed(leftover)) {
                left += leftover.bytes();
            }
        }
        bytes = left;
    }

    private boolean removed(Leftover leftover) {
        Optional<String> reason = reason(leftover);
        try {
            if (reason.isEmpty() || !leftovers.remove(leftover)) {
                return false;
            }
        } catch (RuntimeException e) {
            LOGGER.warn("Could not remove {}, which stays until the next run", leftover.name(), e);
            return false;
        }
        LOGGER.info("Removed {} with {} bytes, because {}", leftover.name(), leftover.bytes(), reason.get());
        return true;
    }

    private Optional<String> reason(Leftover leftover) {
        if (leftover.shard().isEmpty()) {
            return Optional.of("its removal, or the taking of it, had been interrupted");
        }
        String table = leftover.shard().get().table();
        if (DerivedTable.of(table).isPresent()
                && settled.getAsBoolean()
                && shards.definitions().table(table).isEmpty()) {
            return Optional.of("that derived table is gone, and its number is never used again");
        }
        Duration age = Duration.between(leftover.lastWritten(), clock.instant());
        return age.compareTo(maxAbsence) > 0 && settled.getAsBoolean()
                ? Optional.of("that shard has not been this worker's for " + age.toHours() + " h")
                : Optional.empty();
    }
}
