package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.explain.ReceiptService;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.LostTokenException;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.StoredRow;

/** What is checked at once: a table, and one of the workers as far as it has shards of it. */
record Watched(Simulation simulation, TableDefinition table, SimulatedWorker worker) {
    Instant trueTime() {
        return simulation.trueTime();
    }

    ExpectedEntries expected() {
        return simulation.expected();
    }

    /** Whether the table holds the entries of one global index. */
    boolean isByIndex() {
        return DerivedTable.isByIndex(table.name());
    }

    /** Whether derived tables hold indexes of the fact table. */
    boolean hasDerived() {
        return simulation.definitions().current().generations(facts()).stream().anyMatch(Generation::isDerived);
    }

    /** The name of the fact table. */
    String facts() {
        return DerivedTable.base(table.name());
    }

    /** The entries of a row that some partitions have in an index. */
    Set<String> entries(Set<Integer> partitions, IndexDefinition index, ChangeEvent.Upserted row) {
        Set<String> entries = new TreeSet<>();
        for (int partition : partitions) {
            if (isByIndex()) {
                entries.addAll(expected().of(index, row.row(), partition));
            } else if (table.partitionOf(row.key()) == partition) {
                entries.addAll(expected().of(index, row.row()));
            }
        }
        return entries;
    }

    /** A row as it is stored. */
    static ChangeEvent.Upserted stated(KeyedRow row) {
        StoredRow stored = row.stored();
        return new ChangeEvent.Upserted(
                row.key(), stored.version(), stored.committedAt(), UpsertKind.READ, stored.row());
    }

    /** Whether a partition holds a row. */
    boolean holds(int partition, ChangeEvent.Upserted row) {
        return isByIndex()
                ? !entries(Set.of(partition), table.indexes().get(0), row).isEmpty()
                : table.partitionOf(row.key()) == partition;
    }

    /** What is asked at once: all partitions, but each one alone where they are not read at one moment. */
    List<Set<Integer>> asked() {
        Set<Integer> all = IntStream.range(0, table.partitions()).boxed().collect(Collectors.toSet());
        return isByIndex() ? all.stream().map(Set::of).toList() : List.of(all);
    }

    /** The epoch that the fact tables are in, as far as they know. */
    long epoch() {
        return writer().facts().lastCommit().version().epoch();
    }

    /** Whether a change is of the epoch that the fact tables are in. */
    boolean isOfThePresent(ChangeEvent event) {
        return simulation.isOfThePresent(event);
    }

    History history() {
        return simulation.history(facts());
    }

    /** The database that the rows of the table come from; empty where clients write them. */
    Optional<SimulatedShop> shop() {
        return table.source().flatMap(source -> simulation.shop());
    }

    SimulatedLog log() {
        return simulation.topics().of(table.name());
    }

    /** What topics and shards hold. */
    Definitions inForce() {
        return simulation.definitions().layout();
    }

    /** The same as the worker knows it. */
    Definitions known() {
        return worker.definitions().layout();
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

    /** How old a partition says the oldest change is that it lacks; empty when it does not tell. */
    Optional<Duration> oldestUnapplied(int partition) {
        return worker.oldestUnapplied(shard(partition));
    }

    /** Whether what a shard has read of its partition is what is there now. */
    boolean readsTheTopic(int partition) {
        return worker.readsTheTopic(shard(partition));
    }

    /** Whether a shard's part of a generation was ever compared here and found equal. */
    boolean isProven(int partition, long generation) {
        return worker.isProven(shard(partition), generation);
    }

    /** What is wanted of the indexes of the fact table. */
    List<DesiredIndex> plans() {
        return base().indexes();
    }

    private DesiredTable base() {
        return simulation.definitions().current().table(facts()).orElseThrow();
    }

    /** Whether a generation is the one that readers are given. */
    boolean isRead(Generation generation) {
        return base().index(generation.definition().name())
                .flatMap(plan -> worker.serving(base().definition(), plan))
                .filter(read -> read.id() == generation.id())
                .isPresent();
    }

    /** The index in the generation that readers are given; empty while there is none. */
    Optional<IndexNames.Found> serving(DesiredIndex plan) {
        TableDefinition facts = base().definition();
        return worker.serving(facts, plan).map(generation -> new IndexNames.Found(facts, plan, generation));
    }

    /** The same as of the table that holds a generation. */
    Watched in(IndexNames.Found index) {
        return new Watched(simulation, index.home(), worker);
    }

    /** Asks an index without a token; empty where there is no answer. */
    Optional<SimulatedWorker.Answered> ask(IndexQuery query) {
        try {
            return worker.ask(query);
        } catch (LostTokenException e) {
            throw new AssertionError(e);
        }
    }

    /** Asks an index with a token; empty where there is no answer, or not soon. */
    Optional<SimulatedWorker.Answered> askWithToken(IndexQuery query) throws LostTokenException {
        return worker.ask(query);
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
