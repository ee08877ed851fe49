package dev.tidemark.worker.lifecycle;

import java.time.Clock;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.catalog.TablePlan;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.clocks.WriterTime;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStores;

/** Opens shards, and builds anew those that cannot be trusted. Called by apply threads. */
public final class ShardOpener {
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardOpener.class);

    private final ShardStores stores;
    private final TopicFacts topics;
    private final Trust trust;
    private final Clock clock;
    private final WriterTime writerTime;
    private final ShardApplier.Listener listener;

    public ShardOpener(
            ShardStores stores,
            TopicFacts topics,
            Trust trust,
            Clock clock,
            WriterTime writerTime,
            ShardApplier.Listener listener) {
        this.stores = stores;
        this.topics = topics;
        this.trust = trust;
        this.clock = clock;
        this.writerTime = writerTime;
        this.listener = listener;
    }

    /**
     * An open shard.
     *
     * @param topicId identity of the topic that it reads
     */
    record Opened(ShardStore store, ShardApplier applier, String topicId) {}

    /**
     * Opens a shard.
     *
     * @param rebuild why it must be built anew in any case; empty when what is on disk may be used
     * @throws RecordsGoneException when it would have to read what its topic has no more; what is on disk stays as it is
     * @throws RuntimeException when the brokers or the disk do not play along; trying again may help
     */
    Opened open(ShardId id, TablePlan plan, Optional<String> rebuild) {
        TopicFacts.Fact fact = topics.ask(id);
        ShardOrigin origin = new ShardOrigin(fact.topicId(), identity(plan.definition()));
        if (rebuild.isPresent()) {
            requireReadable(id, 0, fact);
            drop(id, rebuild.get());
        }
        ShardStore store = openUndamaged(id, origin);
        Optional<String> breach = trust.breach(store.origin(), origin, store.checkpoint(), fact, clock.instant());
        if (breach.isPresent()) {
            store.close();
            requireReadable(id, 0, fact);
            drop(id, breach.get());
            store = stores.open(id, origin);
        }
        try {
            requireReadable(id, store.checkpoint().nextOffset(), fact);
            ShardApplier applier = ShardApplier.open(id, plan, store, fact.endOffset(), clock, writerTime, listener);
            return new Opened(store, applier, fact.topicId());
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static void requireReadable(ShardId id, long from, TopicFacts.Fact fact) {
        if (from < fact.startOffset()) {
            throw new RecordsGoneException(id, from, fact.startOffset());
        }
    }

    private ShardStore openUndamaged(ShardId id, ShardOrigin origin) {
        try {
            return stores.open(id, origin);
        } catch (ShardDamagedException e) {
            drop(id, String.valueOf(e.getMessage()));
            return stores.open(id, origin);
        }
    }

    private void drop(ShardId id, String reason) {
        LOGGER.warn("Building shard {} from the beginning of its topic, because {}", id, reason);
        stores.drop(id);
    }

    /** What a table cannot change without being another one. */
    private static String identity(TableDefinition table) {
        return table.primaryKey() + " in " + table.partitions() + " partitions";
    }
}
