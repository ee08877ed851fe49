package dev.tidemark.worker.testkit;

import java.util.Objects;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;

/** One table of films in one partition, with an index of each kind that a row can be left out of. */
public final class FilmShard {
    private static final String CATALOG = """
            tables:
              films:
                primaryKey: id
                partitions: 1
                indexes:
                  by_actor: { key: [{field: cast, each: true}], projection: keys_only }
                  by_year:  { key: [{field: year, order: desc}, title], projection: keys_only }
                  recent:
                    key: [title]
                    projection: keys_only
                    where: { year: { gte: 2000, lt: 2010 }, kind: { in: [film, short] } }
                  explain:  { key: [title], projection: all }
              plays:
                primaryKey: [town, name]
                partitions: 4
                indexes:
                  explain: { key: [name], projection: keys_only }
            """;

    private final WorkerFixture fixture = new WorkerFixture(catalog());
    private final ChangeLog log = new ChangeLog(films());
    private OpenShard shard = fixture.open(new ShardId("films", 0));
    private long reading = Objects.requireNonNull(shard.takeStart()).reading();

    /** The tables. */
    public static Catalog catalog() {
        return Tables.catalog(CATALOG);
    }

    /** The table of films. */
    public static TableDefinition films() {
        return catalog().tables().get(0);
    }

    public WorkerFixture bench() {
        return fixture;
    }

    /** The partition of the films. */
    public ChangeLog log() {
        return log;
    }

    public OpenShard shard() {
        return shard;
    }

    /** Applies what was put into the log. */
    public void deliver() {
        fixture.deliver(shard, reading, log.take());
    }

    /** Applies the next so many records of the log. */
    public void deliver(int records) {
        fixture.deliver(shard, reading, log.take(records));
    }

    /** Lets the shard go and takes it on again, with everything in the log to be passed before it is restored. */
    public void restart() {
        leave();
        fixture.end(new ShardId("films", 0), log.end());
        shard = fixture.open(new ShardId("films", 0));
        reading = Objects.requireNonNull(shard.takeStart()).reading();
    }

    /**
     * Has the shard built from the beginning of its topic, with everything in the log to be passed before it is whole.
     */
    public void rebuild() {
        fixture.end(new ShardId("films", 0), log.end());
        shard.requestRebuild("a test wants it");
        fixture.run();
        reading = Objects.requireNonNull(shard.takeStart()).reading();
        log.rewind(0);
    }

    /** Lets the shard go. */
    public void leave() {
        fixture.shards().revoke(new ShardId("films", 0));
        fixture.run();
    }
}
