package dev.tidemark.worker.verify;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.digest.RowTerms;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryShardStores;
import dev.tidemark.worker.testkit.Tables;

/**
 * A table of people with its shards, where changes go on while a pass runs: each time that it waits, works or reads.
 */
final class VerifyFixture implements FactReader, Pacer {
    private static final String[] TOWNS = {"Redmond", "Bothell", "Kirkland"};
    private static final int ROWS = 300;

    private final TableDefinition table = Tables.people();
    private final List<Generation> generations =
            Definitions.first(Tables.catalog(), ChangeLog.at(0)).generations(table.name());
    private final NavigableMap<KeyBytes, StreamedFact> facts = new TreeMap<>();
    private final Deque<ChangeEvent> unapplied = new ArrayDeque<>();
    private final List<VerifyShardFixture> shards = new ArrayList<>();
    private final Set<Integer> lost = new HashSet<>();
    private final Random random;
    private long sequence;
    private boolean busy;
    private boolean stuck;
    private boolean breaking;
    private int mostFound = FactReader.MOST_KEYS;
    private int refusedStreams;
    private int asksAgain;
    private int streams;
    private int waits;
    private int works;
    private int found;
    private boolean streamedWhole;
    private final InMemoryShardStores stores = new InMemoryShardStores();

    VerifyFixture(long seed) {
        this.random = new Random(seed);
        for (int partition = 0; partition < table.partitions(); partition++) {
            ShardId id = new ShardId(table.name(), partition);
            shards.add(new VerifyShardFixture(
                    table, partition, generations, stores.open(id, new ShardOrigin("topic", "definition"))));
        }
    }

    TableDefinition table() {
        return table;
    }

    /** The generation of an index. */
    Generation generation(String index) {
        return generations.stream()
                .filter(generation -> generation.definition().name().equals(index))
                .findFirst()
                .orElseThrow();
    }

    /** Changes go on whenever a pass gives the opportunity. */
    void goOn() {
        busy = true;
    }

    /** Nothing more is applied. */
    void stick() {
        stuck = true;
    }

    /** How often a pass waited. */
    int waits() {
        return waits;
    }

    /** How often a pass, or a part of one, said that it had worked. */
    int works() {
        return works;
    }

    /** Streams break off midway. */
    void breakStreams() {
        breaking = true;
    }

    /** There is memory for so many rows at a time. */
    void findAtMost(int rows) {
        mostFound = rows;
    }

    VerifyPass pass(VerifyRequest.Mode mode, VerifyPass.Listener listener) {
        return pass(mode, MemoryBudget.unlimited().part("verification", 1), listener);
    }

    VerifyPass pass(VerifyRequest.Mode mode, MemoryBudget.Part memory, VerifyPass.Listener listener) {
        List<ShardWindow> here = shards.stream()
                .filter(shard -> !lost.contains(shard.partition()))
                .map(ShardWindow.class::cast)
                .toList();
        return new VerifyPass(new VerifyRequest(table, generations, mode), this, here, memory, this, listener);
    }

    /** A shard is at another worker from now on. */
    void lose(int partition) {
        lost.add(partition);
    }

    List<VerifyShardFixture> shards() {
        return shards;
    }

    /** The shard of a row. */
    VerifyShardFixture shard(KeyBytes key) {
        return shards.get(table.partitionOf(key));
    }

    Random random() {
        return random;
    }

    /** Some changes, at most so many. */
    void change(int most) {
        for (int i = random.nextInt(most); i >= 0; i--) {
            int id = random.nextInt(ROWS);
            if (random.nextInt(5) == 0) {
                delete(id);
            } else {
                put(id, random.nextInt(8) == 0 ? null : TOWNS[random.nextInt(TOWNS.length)], "n" + random.nextInt(50));
            }
        }
    }

    /** Puts a row; one without a town is not in the index by town. */
    KeyBytes put(int id, @Nullable String town, String name) {
        ObjectNode row = RowJson.mapper().createObjectNode().put("id", id).put("name", name);
        if (town != null) {
            row.put("town", town);
        }
        KeyBytes key = key(id);
        RowVersion version = next();
        facts.put(key, new StreamedFact(key, version, Optional.of(RowDocument.of(row))));
        unapplied.add(
                new ChangeEvent.Upserted(key, version, ChangeLog.at(sequence), UpsertKind.UPDATE, RowDocument.of(row)));
        return key;
    }

    /** A shard applies a row that the writer never committed, in a version so many after the newest. */
    KeyBytes forge(int id, long after, String town, String name) {
        ObjectNode row = RowJson.mapper()
                .createObjectNode()
                .put("id", id)
                .put("name", name)
                .put("town", town);
        RowVersion version = new RowVersion(1, sequence + after);
        KeyBytes key = key(id);
        shard(key)
                .apply(new ChangeEvent.Upserted(key, version, ChangeLog.at(1), UpsertKind.UPDATE, RowDocument.of(row)));
        return key;
    }

    /** A shard applies a delete that the writer never committed. */
    void forgeDelete(int id, long after) {
        KeyBytes key = key(id);
        shard(key).apply(new ChangeEvent.Deleted(key, new RowVersion(1, sequence + after), ChangeLog.at(1)));
    }

    void delete(int id) {
        KeyBytes key = key(id);
        if (facts.remove(key) != null) {
            unapplied.add(new ChangeEvent.Deleted(key, next(), ChangeLog.at(sequence)));
        }
    }

    /** Loses the oldest change that is not applied, which no correct program does. */
    void loseOne() {
        unapplied.remove();
    }

    /** Tells the shards the digests of the table, which they must have all of. */
    void mark() {
        settle();
        RowTerms terms = new RowTerms(generations);
        for (VerifyShardFixture shard : shards) {
            for (Generation generation : generations) {
                Digest sum = Digest.EMPTY;
                for (StreamedFact fact : facts.values()) {
                    if (table.partitionOf(fact.key()) == shard.partition()) {
                        sum = sum.plus(terms.of(fact.key(), fact.row().orElseThrow())
                                .getOrDefault(generation.id(), EntryTerms.NONE)
                                .at(fact.version()));
                    }
                }
                shard.mark(generation.id(), sum);
            }
        }
    }

    /** The writer refuses some streams, and a pass asks again some times. */
    void refuseStreams(int refused, int again) {
        refusedStreams = refused;
        asksAgain = again;
    }

    /** How often facts have been streamed. */
    int streams() {
        return streams;
    }

    /** Whether they came with their rows the last time. */
    boolean streamedWhole() {
        return streamedWhole;
    }

    /** How many rows have been looked up by their keys. */
    int found() {
        return found;
    }

    /** Views and scans of shards that were not closed. */
    int openReaders() {
        return stores.openReaders();
    }

    /** Applies everything. */
    void settle() {
        apply(unapplied.size());
    }

    KeyBytes key(int id) {
        try {
            return table.keyOf(RowJson.mapper().createObjectNode().put("id", id));
        } catch (BadKeyException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The version that a row has in its table. */
    RowVersion version(KeyBytes key) {
        return Optional.ofNullable(facts.get(key)).orElseThrow().version();
    }

    NavigableMap<KeyBytes, StreamedFact> facts() {
        return facts;
    }

    @Override
    public FactStream stream(TableDefinition asked, boolean whole) throws WriterBusyException {
        if (refusedStreams > 0) {
            refusedStreams--;
            throw new WriterBusyException("it sends others");
        }
        streams++;
        streamedWhole = whole;
        return new Copy(new FactStreamHead(last(), ChangeLog.at(sequence)), List.copyOf(facts.values()), whole);
    }

    @Override
    public Found find(TableDefinition asked, List<KeyBytes> keys) {
        RowVersion from = last();
        List<Optional<StreamedFact>> rows = new ArrayList<>();
        for (KeyBytes key : keys.subList(0, Math.min(keys.size(), mostFound))) {
            bustle();
            found++;
            rows.add(Optional.ofNullable(facts.get(key)));
        }
        return new Found(from, last(), rows, List.of());
    }

    @Override
    public boolean until(BooleanSupplier condition) {
        waits++;
        while (!condition.getAsBoolean() && !unapplied.isEmpty() && !stuck) {
            apply(1);
        }
        return condition.getAsBoolean();
    }

    @Override
    public void worked() {
        works++;
        bustle();
    }

    @Override
    public boolean again() {
        asksAgain--;
        return asksAgain >= 0;
    }

    private void bustle() {
        if (busy) {
            change(3);
            apply(random.nextInt(4));
        }
    }

    private void apply(int most) {
        for (int i = 0; i < most && !unapplied.isEmpty() && !stuck; i++) {
            ChangeEvent event = unapplied.remove();
            shard(event.key()).apply(event);
            RowVersion version = unapplied.isEmpty() ? last() : event.version();
            shards.forEach(shard -> shard.through(version));
        }
        if (unapplied.isEmpty()) {
            shards.forEach(shard -> shard.through(last()));
        }
    }

    private RowVersion next() {
        return new RowVersion(1, ++sequence);
    }

    private RowVersion last() {
        return new RowVersion(1, sequence);
    }

    /** The table as it was. */
    private final class Copy implements FactStream {
        private final FactStreamHead head;
        private final Iterator<StreamedFact> rows;
        private final boolean whole;
        private int left;

        Copy(FactStreamHead head, List<StreamedFact> rows, boolean whole) {
            this.head = head;
            this.rows = rows.iterator();
            this.whole = whole;
            this.left = breaking ? rows.size() / 2 : Integer.MAX_VALUE;
        }

        @Override
        public FactStreamHead head() {
            return head;
        }

        @Override
        public @Nullable StreamedFact next() throws CannotVerifyException {
            bustle();
            if (left-- == 0) {
                throw new CannotVerifyException("the stream broke off");
            }
            if (!rows.hasNext()) {
                return null;
            }
            StreamedFact fact = rows.next();
            return whole ? fact : new StreamedFact(fact.key(), fact.version(), Optional.empty());
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
