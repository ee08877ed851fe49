package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.backup.BackupSource;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.checksum.ChecksumScanTarget;
import dev.tidemark.row.BadInputException;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.GaugeValue;
import dev.tidemark.writer.catalog.DefinitionStore;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.database.CatalogDisagreesException;
import dev.tidemark.writer.database.FactDatabase;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.Tombstones;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.recovery.NewerFormatException;

/** A writer's database in PostgreSQL. Several processes can open it; the one that holds the right to commit writes. */
public final class PostgresFactDatabase implements FactDatabase {
    private static final Logger LOGGER = LoggerFactory.getLogger(PostgresFactDatabase.class);
    private static final String NO_BACKUP =
            "the writer makes no backups of fact tables in PostgreSQL: back the database"
                    + " up with pg_basebackup and an archive of its write-ahead log, or with pg_dump. A restored copy begins a new"
                    + " epoch";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String NOTED = "SELECT system_identifier, timeline FROM tidemark.writer WHERE id = 1";

    private final CloseableStack parts = new CloseableStack();
    private final DatabaseState state;
    private final ConnectionGuard guard;
    private final FactTables tables;
    private final CommitSession session;
    private final OwnConnection service;
    private final Readers readers;
    private final TableViews views;
    private final PostgresFactStore facts;
    private final PostgresOutbox outbox;
    private final PostgresTombstones tombstones;
    private final PostgresTopicLedger ledger;
    private final PostgresDefinitionStore definitions;
    private final SharedClock clock;

    private PostgresFactDatabase(
            PostgresServer server,
            DatabaseState state,
            ConnectionGuard guard,
            FactTables tables,
            Limits limits,
            Clock wall) {
        this.state = state;
        this.guard = guard;
        this.tables = tables;
        OwnConnection relay = parts.add(new OwnConnection(server, state));
        this.service = parts.add(new OwnConnection(server, state));
        this.readers = parts.add(new Readers(server, state));
        this.session = parts.add(new CommitSession(server, state, guard, limits.patience(), this::load));
        this.views = new TableViews(tables, parts.add(new OwnConnection(server, state)), wall);
        OutboxSlots slots = new OutboxSlots(limits.slotChanges());
        this.facts = new PostgresFactStore(tables, session, readers, slots, views, guard, limits.rowCacheBytes());
        this.outbox = new PostgresOutbox(tables, relay, state, session.holderId(), slots);
        this.tombstones = new PostgresTombstones(tables, relay);
        this.ledger = new PostgresTopicLedger(new NamedValues(relay, state, session.holderId()));
        NamedValues values = new NamedValues(service, state, session.holderId());
        this.definitions = new PostgresDefinitionStore(values);
        this.clock = new SharedClock(service, values);
    }

    /**
     * Limits of an open database.
     *
     * @param rowCacheBytes heap for the rows that were replaced last; 0 for none
     * @param slotChanges fewest changes of an outbox table before the next one is written
     * @param patience how long a commit whose connection was lost waits for the server
     */
    record Limits(long rowCacheBytes, long slotChanges, Duration patience) {}

    /**
     * Opens the database, making the schema where it is absent. Nothing can be committed before {@link #terms()} were
     * taken.
     *
     * @param rowCacheBytes heap for the rows that were replaced last; 0 for none
     * @param damage is notified of damage that is found while it is open
     * @param wall paces work on the views
     * @throws PostgresRefusedException when the server is set up so that it could lose commits
     * @throws CatalogDisagreesException when the catalog and the database define a table differently
     * @throws NewerFormatException when a newer version of the service made the schema
     */
    public static PostgresFactDatabase open(
            FactsSettings settings, Catalog catalog, long rowCacheBytes, FactsDamage damage, Clock wall)
            throws BadInputException {
        return open(settings, catalog, new Limits(rowCacheBytes, OutboxSlots.SLOT_CHANGES, PATIENCE), damage, wall);
    }

    static PostgresFactDatabase open(
            FactsSettings settings, Catalog catalog, Limits limits, FactsDamage damage, Clock wall)
            throws BadInputException {
        DatabaseState state = new DatabaseState(damage);
        ConnectionGuard guard = new ConnectionGuard(state);
        PostgresServer server = new PostgresServer(settings, guard);
        FactTables tables = new FactTables();
        try {
            FirstConnection.use(server, connection -> prepare(connection, catalog, tables, guard));
        } catch (SQLException e) {
            throw state.failure(e);
        }
        return new PostgresFactDatabase(server, state, guard, tables, limits, wall);
    }

    private static void prepare(Connection connection, Catalog catalog, FactTables tables, ConnectionGuard guard)
            throws SQLException, PostgresRefusedException, CatalogDisagreesException, NewerFormatException {
        Optional<String> refusal = ServerCheck.refusal(connection);
        if (refusal.isPresent()) {
            throw new PostgresRefusedException(refusal.get());
        }
        ServerCheck.logStandbys(connection);
        CopyIdentity copy = ServerCheck.identity(connection);
        if (copy.equals(CopyIdentity.UNKNOWN)) {
            LOGGER.warn("The server does not let this user read its identity and timeline, so that a fail-over or a"
                    + " restored copy is found by comparison with the topics alone");
        }
        Schema.prepare(connection, copy, catalog, tables);
        guard.expect(copy);
    }

    @Override
    public FactStore facts() {
        return facts;
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public Tombstones tombstones() {
        return tombstones;
    }

    @Override
    public TopicLedger ledger() {
        return ledger;
    }

    @Override
    public DefinitionStore definitions() {
        return definitions;
    }

    @Override
    public List<TableDefinition> tables() {
        return tables.definitions();
    }

    @Override
    public void keepPartitions(Catalog stored) {
        service.call(connection -> {
            tables.keepPartitions(connection, stored);
            return true;
        });
    }

    @Override
    public Optional<CommitTerms> terms() {
        return Optional.of(session);
    }

    @Override
    public Optional<String> identity() {
        CopyIdentity copy = guard.identity();
        return Optional.of("postgresql:" + copy.system() + ":" + copy.timeline());
    }

    @Override
    public Optional<Instant> continuedClock() {
        return clock.continued();
    }

    @Override
    public void keepClock(Clock commitClock) {
        clock.keep(commitClock);
    }

    @Override
    public boolean isOtherCopy() {
        CopyIdentity noted = service.call(connection ->
                Statements.one(connection, NOTED, row -> new CopyIdentity(row.getString(1), row.getLong(2))));
        return guard.identity().isOtherThan(noted);
    }

    @Override
    public Optional<String> failure() {
        return state.ended();
    }

    @Override
    public Optional<String> backupRefusal() {
        return Optional.of(NO_BACKUP);
    }

    @Override
    public Map<String, BackupSource> backupSources() {
        return Map.of();
    }

    @Override
    public List<ChecksumScanTarget> checksumTargets() {
        return List.of();
    }

    @Override
    public List<GaugeValue> gauges() {
        return readers.gauges();
    }

    @Override
    public List<Agent> agents() {
        return List.of(views);
    }

    @Override
    public void close() {
        parts.close();
    }

    /** What another writer may have changed before this one took the right to commit. */
    private void load() {
        service.call(connection -> {
            tables.load(connection);
            outbox.load(connection);
            return true;
        });
    }
}
