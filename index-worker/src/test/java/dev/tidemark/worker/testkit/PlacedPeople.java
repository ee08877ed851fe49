package dev.tidemark.worker.testkit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.PartialRow;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;

/** People in two partitions with global indexes in three, and a writer that places each of them. */
public final class PlacedPeople {
    private static final String CATALOG = """
            tables:
              people:
                primaryKey: id
                partitions: 2
                indexes:
                  by_town: { key: [town], projection: [name], scope: global, partitions: 3 }
                  by_tag:  { key: [{field: tags, each: true, order: desc}], projection: keys_only, scope: global, partitions: 3 }
                  by_name: { key: [name], projection: keys_only }
            """;

    private final WorkerFixture fixture;
    private final Map<ShardId, ChangeLog> logs = new TreeMap<>();
    private final Map<ShardId, Long> readings = new HashMap<>();
    private final Map<KeyBytes, String> rows = new HashMap<>();
    private final Set<ShardId> deaf = new HashSet<>();

    /** People of the definitions of a worker, none of whose shards is open. */
    public PlacedPeople(WorkerFixture fixture) {
        this.fixture = fixture;
    }

    /** The table with its indexes. */
    public static Catalog catalog() {
        return Tables.catalog(CATALOG);
    }

    /** The same where the index by town is local. */
    public static Catalog withLocalTowns() {
        return Tables.catalog(
                CATALOG.replace("projection: [name], scope: global, partitions: 3", "projection: [name]"));
    }

    /** The same where the rows of each town are in two of the three partitions. */
    public static Catalog withSaltedTowns() {
        return Tables.catalog(CATALOG.replace("[name], scope: global", "[name], scope: global, salt: 2"));
    }

    /** The table as people define it. */
    public TableDefinition table() {
        return fixture.definitions().table("people").orElseThrow().definition();
    }

    /** A shard of the table whose shards hold the current generation of an index. */
    public ShardId shard(String index, int partition) {
        Generation current =
                fixture.definitions().index("people", index).orElseThrow().current();
        return new ShardId(current.home(table()).name(), partition);
    }

    /** The partition that has a town, of several the first. */
    public int partitionOf(String town) {
        return table().index("by_town")
                .orElseThrow()
                .partitionsOf(new KeyWriter()
                        .append(new FieldValue.Text(town), Order.ASC)
                        .toKey())
                .first();
    }

    /** Opens every shard that is defined and not open. */
    public PlacedPeople openAll() {
        for (DesiredTable table : fixture.layout().tables()) {
            for (int partition = 0; partition < table.definition().partitions(); partition++) {
                ShardId id = new ShardId(table.name(), partition);
                if (fixture.shards().find(id).isEmpty()) {
                    open(id);
                }
            }
        }
        return this;
    }

    /** Opens a shard. */
    public void open(ShardId id) {
        OpenShard shard = fixture.open(id);
        readings.put(id, Objects.requireNonNull(shard.takeStart()).reading());
        logs.put(
                id,
                new ChangeLog(fixture.layout().table(id.table()).orElseThrow().definition()));
    }

    /** What is placed in a shard from now on is lost. */
    public void lose(ShardId shard) {
        deaf.add(shard);
    }

    /** What is placed in it arrives again. */
    public void loseNothing() {
        deaf.clear();
    }

    /** Puts a person, with the number as version, into every shard that must know of it. */
    public PlacedPeople put(long number, int id, String town, String... tags) {
        String row = row(id, town, tags);
        KeyBytes key = key(id);
        logs.forEach((shard, log) -> {
            if (deaf.contains(shard)) {
                return;
            }
            if (isHeld(shard, key, row)) {
                log.put(number, row);
            } else if (rows.containsKey(key) && isHeld(shard, key, rows.get(key))) {
                log.delete(number, Integer.toString(id));
            }
        });
        rows.put(key, row);
        return this;
    }

    /** A person as JSON. */
    public static String row(int id, String town, String... tags) {
        String list = tags.length == 0 ? "" : "\"" + String.join("\",\"", tags) + "\"";
        return "{\"id\":" + id + ",\"town\":\"" + town + "\",\"name\":\"N" + id + "\",\"tags\":[" + list + "]}";
    }

    /** The key of a person. */
    public KeyBytes key(int id) {
        return new ChangeLog(table()).key(Integer.toString(id));
    }

    private boolean isHeld(ShardId shard, KeyBytes key, String row) {
        TableDefinition table =
                fixture.layout().table(shard.table()).orElseThrow().definition();
        if (DerivedTable.of(shard.table()).isEmpty()) {
            return table.partitionOf(key) == shard.partition();
        }
        Set<Integer> partitions = new TreeSet<>();
        for (IndexDefinition index : table.indexes()) {
            partitions.addAll(new EntryDeriver(index).partitions(key, PartialRow.of(ChangeLog.document(row))));
        }
        return partitions.contains(shard.partition());
    }

    /** The log of a shard. */
    public ChangeLog log(ShardId shard) {
        return Objects.requireNonNull(logs.get(shard));
    }

    /** Says to every shard that it has everything up to a number. */
    public PlacedPeople heartbeat(long number) {
        logs.values().forEach(log -> log.heartbeat(number));
        return deliver();
    }

    /** Says that to one shard. */
    public PlacedPeople heartbeat(long number, ShardId shard) {
        log(shard).heartbeat(number);
        return deliver();
    }

    /** Has every shard apply what is in its log. */
    public PlacedPeople deliver() {
        logs.forEach((id, log) ->
                fixture.deliver(fixture.shards().find(id).orElseThrow(), readings.getOrDefault(id, 0L), log.take()));
        return this;
    }
}
