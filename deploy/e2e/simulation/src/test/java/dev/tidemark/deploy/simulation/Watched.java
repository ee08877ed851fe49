package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.explain.ReceiptService;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;

/** What is checked at once: a table, and one of the workers as far as it has shards of it. */
record Watched(Simulation simulation, TableDefinition table, SimulatedWorker worker) {
    Instant trueTime() {
        return simulation.trueTime();
    }

    ExpectedEntries expected() {
        return simulation.expected();
    }

    History history() {
        return simulation.history(table.name());
    }

    /** The database that the rows of the table come from; empty where clients write them. */
    Optional<SimulatedShop> shop() {
        return table.source().flatMap(source -> simulation.shop());
    }

    SimulatedLog log() {
        return simulation.topics().of(table.name());
    }

    SimulatedDefinitions definitions() {
        return simulation.definitions();
    }

    SimulatedWriter writer() {
        return simulation.writer();
    }

    /** What readers are told about a partition; empty while its shard is not open here. */
    Optional<OpenShard.ShardSnapshot> read(int partition) {
        return worker.read(shard(partition));
    }

    /** The shard to which changes are applied; empty while it is not open. */
    Optional<OpenShard.ShardSnapshot> readApplied(int partition) {
        return worker.readApplied(shard(partition));
    }

    /** How a partition is doing; empty before its shard was first opened here. */
    Optional<ShardStatus> status(int partition) {
        return worker.status(shard(partition));
    }

    /** How the shard is doing to which changes are applied; empty before it was first opened here. */
    Optional<ShardStatus> applied(int partition) {
        return worker.applied(shard(partition));
    }

    /** What another worker noted of a partition that the group has given to this one. */
    Optional<OffsetNote> noteOfAnother(int partition) {
        ShardId shard = shard(partition);
        return worker.group()
                .holder(shard)
                .filter(holder -> holder == worker.number())
                .flatMap(holder -> worker.group().note(shard))
                .filter(note -> !note.url().equals(worker.identity().url()));
    }

    /** How old a partition says it is; empty when it does not tell. */
    Optional<Duration> freshness(int partition) {
        return worker.freshness(shard(partition));
    }

    /** Whether what a shard has read of its partition is what is there now. */
    boolean readsTheTopic(int partition) {
        return worker.readsTheTopic(shard(partition));
    }

    /** Whether a shard's part of a generation was ever compared here and found equal. */
    boolean isProven(int partition, long generation) {
        return worker.isProven(shard(partition), generation);
    }

    /** The generation of an index that readers are given; empty while there is none. */
    Optional<Generation> serving(DesiredIndex plan) {
        return worker.serving(table, plan);
    }

    /** Asks an index; empty where there is no answer. */
    Optional<SimulatedWorker.Answered> ask(DesiredIndex plan, Function<IndexNames.Found, IndexQuery> question) {
        return worker.ask(table, plan, question);
    }

    ReceiptService desk() {
        return worker.desk();
    }

    /** How often the worker was started. */
    int starts() {
        return worker.starts();
    }

    /** Shards that were found damaged when they were opened. */
    List<String> damages() {
        return worker.damages();
    }

    private ShardId shard(int partition) {
        return new ShardId(table.name(), partition);
    }
}
