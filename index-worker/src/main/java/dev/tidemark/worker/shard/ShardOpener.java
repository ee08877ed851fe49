package dev.tidemark.worker.shard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.shard.PartitionInfoSource.PartitionInfo;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStores;

/** Opens shards, and rebuilds those that cannot be trusted. Called by threads that do nothing else. */
public record ShardOpener(
        ShardStores stores,
        ShardSupply copies,
        PartitionInfoSource topics,
        RebuildPolicy policy,
        Clock clock,
        WriterClock writerTime,
        ShardApplier.Listener listener) {
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardOpener.class);
    private static final Duration LONG_BEHIND = Duration.ofMinutes(20);

    /** A third, because the brokers' clocks and the time that opening takes count too. */
    private static final int PART_OF_COMPACTION_LAG = 3;

    /** A shard that was opened again at every batch would never come along. */
    private static final Duration LEAST_BEHIND = Duration.ofSeconds(30);

    /** The result of opening a shard. */
    sealed interface Attempt {}

    /**
     * A shard that is not open, since a copy may spare reading most of its topic.
     *
     * @param nextOffset the first offset that what is there has not applied; 0 where nothing can be used
     * @param kept what answers until then; empty where nothing can
     */
    record Lacking(long nextOffset, Optional<KeptShard> kept) implements Attempt {}

    /**
     * An open shard.
     *
     * @param topicId identity of the topic that it reads
     * @param longBehind how long the log ahead stays as it was when it was asked for its end
     * @param kept what answers until this has passed it; empty where nothing does, or it is open already
     */
    record Opened(ShardStore store, ShardApplier applier, String topicId, Duration longBehind, Optional<KeptShard> kept)
            implements Attempt {
        /**
         * Whether the log ahead may have been compacted, so that the shard must be reopened with the new end of the
         * log.
         *
         * @param openedAt a time before the end of the log was read
         */
        boolean isLongBehind(Instant openedAt, Instant now) {
            // While it restores, the end to be passed was asked for at the opening; later, all is there that was known
            // then.
            Instant caughtUp = applier.seenCaughtUp();
            Instant since = caughtUp.isAfter(openedAt) ? caughtUp : openedAt;
            return Duration.between(since, now).compareTo(longBehind) > 0;
        }
    }

    /**
     * What a shard held before it was closed.
     *
     * @param topicId identity of the topic that it had read
     */
    record Known(String topicId, Collection<GenerationStatus> generations) {}

    /**
     * What is to be opened.
     *
     * @param rebuild why it must be rebuilt in any case; empty when the data on disk may be used
     * @param known what it held when it was open before; empty when it was not
     * @param answered whether what it was is in use already
     */
    record Wanted(
            ShardId id,
            DesiredTable plan,
            Optional<RebuildPolicy.Rebuild> rebuild,
            Optional<Known> known,
            boolean answered) {}

    /**
     * What the brokers said of the topic of a shard that is to be opened.
     *
     * @param at a time before they were asked: the process may be suspended between the answer and the opening, and the
     *     log goes on meanwhile
     */
    private record Asked(Wanted wanted, PartitionInfo topic, Instant at) {
        ShardId id() {
            return wanted.id();
        }

        /** What the shard must be built from: its topic, and what its table cannot change without being another one. */
        ShardOrigin origin() {
            TableDefinition table = wanted.plan().definition();
            return new ShardOrigin(topic.topicId(), table.primaryKey() + " in " + table.partitions() + " partitions");
        }
    }

    /**
     * Opens a shard, unless a copy is worth looking for.
     *
     * @throws RecordsGoneException when its topic no longer has records that it must read; the data on disk stays as it
     *     is
     * @throws RuntimeException when the brokers or the disk are unavailable; a retry may help
     */
    Attempt attempt(Wanted wanted) {
        return attempt(wanted, true);
    }

    /** Looks for a copy of a shard that lacks much. May take hours. */
    void fetch(Wanted wanted, Lacking lacking, BooleanSupplier isWanted) {
        Asked asked = ask(wanted);
        copies.fetch(new ShardSupply.Need(wanted.id(), asked.origin(), asked.topic(), lacking.nextOffset()), isWanted);
    }

    /** Opens a shard with what is there, as {@link #attempt} does otherwise. */
    Opened open(Wanted wanted) {
        return (Opened) attempt(wanted, false);
    }

    /**
     * Keeps what a shard is, to answer from while it is built again.
     *
     * @return what it is; empty where it cannot answer anything
     */
    Optional<KeptShard> keep(ShardId id, Opened open) {
        if (!KeptShard.isWorth(open.store().checkpoint())) {
            return Optional.empty();
        }
        stores.keep(id);
        return kept(id, open.store().origin());
    }

    /**
     * Checks that the topic of a shard has every record that the shard is built from.
     *
     * @throws RecordsGoneException when it lacks some of them
     * @throws RuntimeException when the brokers do not answer
     */
    void requireWhole(ShardId id) {
        requireReadable(id, 0, topics.ask(id));
    }

    private Asked ask(Wanted wanted) {
        Instant now = clock.instant();
        return new Asked(wanted, topics.ask(wanted.id()), now);
    }

    private Attempt attempt(Wanted wanted, boolean mayBeCopied) {
        Asked asked = ask(wanted);
        if (wanted.rebuild().isPresent()) {
            return built(asked, wanted.rebuild().get().reason(), wanted.known());
        }
        long end = asked.topic().endOffset();
        ShardStore store;
        try {
            store = stores.open(asked.id(), asked.origin());
        } catch (ShardDamagedException e) {
            return mayBeCopied && copies.isWorth(end)
                    ? new Lacking(0, answering(asked))
                    : built(asked, String.valueOf(e.getMessage()), wanted.known());
        }
        return orClosed(store, () -> {
            ShardCheckpoint checkpoint = store.checkpoint();
            Optional<RebuildPolicy.Rebuild> rebuild =
                    policy.reasonToRebuild(store.origin(), asked.origin(), checkpoint, asked.topic(), clock.instant());
            long from = rebuild.isPresent() ? 0 : checkpoint.nextOffset();
            boolean wasWhole = checkpoint.progress().isWhole();
            boolean lacks = mayBeCopied && (rebuild.isPresent() || !wasWhole) && copies.isWorth(end - from);
            if (!lacks && rebuild.isEmpty()) {
                return applying(asked, store);
            }
            Known found =
                    new Known(store.origin().topicId(), checkpoint.generations().values());
            store.close();
            if (rebuild.filter(why -> !why.wrong()).isPresent() && KeptShard.isWorth(checkpoint)) {
                orWithout(asked.id(), () -> stores.keep(asked.id()));
            }
            return lacks
                    ? new Lacking(from, answering(asked))
                    : built(asked, rebuild.orElseThrow().reason(), Optional.of(found));
        });
    }

    /** What answers for a shard until it is built, where that is not open yet. */
    private Optional<KeptShard> answering(Asked asked) {
        return asked.wanted().answered() ? Optional.empty() : kept(asked.id(), asked.origin());
    }

    /** What is kept of a shard and can answer. A failure leaves the shard without: it must open all the same. */
    private Optional<KeptShard> kept(ShardId id, ShardOrigin origin) {
        try {
            return stores.kept(id).flatMap(store -> orClosed(store, () -> kept(id, store, origin)));
        } catch (RuntimeException e) {
            LOGGER.warn("What shard {} was cannot answer", id, e);
            if (e instanceof ShardDamagedException) {
                orWithout(id, () -> stores.dropKept(id));
            }
            return Optional.empty();
        }
    }

    private Optional<KeptShard> kept(ShardId id, ShardStore store, ShardOrigin origin) {
        if (store.origin().equals(origin) && KeptShard.isWorth(store.checkpoint())) {
            return Optional.of(new KeptShard(store));
        }
        store.close();
        stores.dropKept(id);
        return Optional.empty();
    }

    /** Takes a step with what a shard was. A failure leaves the shard without: it must open all the same. */
    private static void orWithout(ShardId id, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOGGER.warn("What shard {} was cannot be kept or removed", id, e);
        }
    }

    /** Opens a shard that has nothing yet. What was there goes. */
    private Opened built(Asked asked, String reason, Optional<Known> known) {
        ShardId id = asked.id();
        requireReadable(id, 0, asked.topic());
        LOGGER.warn("Building shard {} from the beginning of its topic, because {}", id, reason);
        stores.drop(id);
        ShardStore store = stores.open(id, asked.origin());
        return orClosed(store, () -> {
            known.filter(before -> before.topicId().equals(asked.topic().topicId()))
                    .ifPresent(before -> keepProofs(store, before, reason));
            return applying(asked, store);
        });
    }

    /** What was proven in the shard that is gone answers again as soon as this one has read the same topic. */
    private void keepProofs(ShardStore store, Known before, String reason) {
        List<GenerationStatus> proven = before.generations().stream()
                .filter(status -> status.servedSince().isPresent())
                .map(status -> status.lost(clock.instant(), reason))
                .toList();
        store.addGenerations(proven.stream().map(GenerationStatus::id).toList());
        ShardCheckpoint checkpoint = store.checkpoint();
        for (GenerationStatus status : proven) {
            checkpoint = checkpoint.with(status);
        }
        store.commit(ShardBatch.of(checkpoint), Durability.POWER_CUT);
    }

    private Opened applying(Asked asked, ShardStore store) {
        ShardId id = asked.id();
        PartitionInfo topic = asked.topic();
        requireReadable(id, store.checkpoint().nextOffset(), topic);
        ShardApplier applier = ShardApplier.open(
                id, asked.wanted().plan(), store, topic.endOffset(), asked.at(), clock, writerTime, listener);
        return new Opened(store, applier, topic.topicId(), longBehind(topic.compactionLag()), answering(asked));
    }

    private static Duration longBehind(Optional<Duration> compactionLag) {
        Duration part =
                compactionLag.map(lag -> lag.dividedBy(PART_OF_COMPACTION_LAG)).orElse(LONG_BEHIND);
        return Collections.max(List.of(LEAST_BEHIND, Collections.min(List.of(LONG_BEHIND, part))));
    }

    private static <T> T orClosed(ShardStore store, Supplier<T> opening) {
        try {
            return opening.get();
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static void requireReadable(ShardId id, long from, PartitionInfo topic) {
        if (from < topic.startOffset()) {
            throw new RecordsGoneException(id, from, topic.startOffset());
        }
    }
}
