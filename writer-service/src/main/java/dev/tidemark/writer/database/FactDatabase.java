package dev.tidemark.writer.database;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.backup.BackupSource;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.checksum.ChecksumScanTarget;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.GaugeValue;
import dev.tidemark.writer.catalog.DefinitionStore;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.Tombstones;
import dev.tidemark.writer.outbox.TopicLedger;

/** The open database of a writer. Each port is the same object, or an equal one, at each call. */
public interface FactDatabase extends AutoCloseable {
    FactStore facts();

    Outbox outbox();

    Tombstones tombstones();

    TopicLedger ledger();

    DefinitionStore definitions();

    /** Every table that it has, those gone from the catalog included; without indexes. */
    List<TableDefinition> tables();

    /**
     * Takes over how many partitions tables began with, for those that it has: the stored definitions may have been
     * published before the database was put back, and then a table was added to it with what the catalog file says.
     *
     * @param stored the tables of the stored definitions, with the partitions that each began with
     */
    void keepPartitions(Catalog stored);

    /** The right to commit; empty where one process alone can open the database. */
    default Optional<CommitTerms> terms() {
        return Optional.empty();
    }

    /** Names a database that several processes open, and none of its copies; empty where one process alone can. */
    default Optional<String> identity() {
        return Optional.empty();
    }

    /** What the commit clock of the last holder of the right would show now; empty where the database does not know. */
    default Optional<Instant> continuedClock() {
        return Optional.empty();
    }

    /**
     * Keeps how the commit clock of this process runs, durably, for {@link #continuedClock()} of the next holder. To be
     * called again and again, because clocks of machines are set; what is kept already is not written again.
     */
    default void keepClock(Clock clock) {
        // The process that opens it next runs on the same machine.
    }

    /**
     * Whether this is another copy of the database than the one that was written last, such as one that was restored or
     * that took over from a failed server. Then commits may be missing, and a new epoch has to begin.
     */
    default boolean isOtherCopy() {
        return false;
    }

    /** Why no write is taken any more, and the process has to start again; empty while all is well. */
    Optional<String> failure();

    /** Why the writer never makes a backup of it; empty where it does. */
    default Optional<String> backupRefusal() {
        return Optional.empty();
    }

    /** What a backup copies, by the path that it has in the backup. */
    Map<String, BackupSource> backupSources();

    /** What the checksum scan reads; none where the database checks its files itself. */
    List<ChecksumScanTarget> checksumTargets();

    /** What it reports about itself. */
    List<GaugeValue> gauges();

    /** Work on separate threads, until it is closed. */
    default List<Agent> agents() {
        return List.of();
    }

    @Override
    void close();
}
