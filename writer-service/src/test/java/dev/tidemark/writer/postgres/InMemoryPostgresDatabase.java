package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.backup.BackupSource;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.checksum.ChecksumScanTarget;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.GaugeValue;
import dev.tidemark.writer.catalog.DefinitionStore;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.database.FactDatabase;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.Tombstones;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.outbox.TopicRecord;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

/** An {@link InMemoryPostgres} as one process has it open: its own connections, and the real {@link CommitSession}. */
public final class InMemoryPostgresDatabase implements FactDatabase {
    private final InMemoryPostgres server;
    private final InMemoryPostgres.Nature nature;
    private final WriterStores stores;
    private final DatabaseState state = new DatabaseState(new FactsDamage());
    private final ConnectionGuard guard = new ConnectionGuard(state);
    private final CommitSession session;
    private final OwnConnection relay;
    private final OwnConnection readers;
    private final Facts facts = new Facts();
    private final Changes outbox = new Changes();
    private final Ledger ledger = new Ledger();

    InMemoryPostgresDatabase(InMemoryPostgres server, InMemoryDisk disk, InMemoryPostgres.Nature nature) {
        this.server = server;
        this.nature = nature;
        this.stores = WriterStores.on(disk);
        this.session = new CommitSession(server.through(guard), state, guard, Duration.ZERO, outbox::load);
        this.relay = new OwnConnection(server.through(guard), state);
        this.readers = new OwnConnection(server.through(guard), state);
        guard.expect(server.identity());
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
        return stores.tombstones();
    }

    @Override
    public TopicLedger ledger() {
        return ledger;
    }

    @Override
    public DefinitionStore definitions() {
        return stores.definitions();
    }

    @Override
    public List<TableDefinition> tables() {
        return TestTables.CATALOG.tables();
    }

    @Override
    public void keepPartitions(Catalog stored) {
        // Its tables are those of the test catalog, which never change.
    }

    @Override
    public Optional<CommitTerms> terms() {
        return Optional.of(session);
    }

    @Override
    public Optional<String> identity() {
        return Optional.of(guard.identity().toString());
    }

    @Override
    public Optional<Instant> continuedClock() {
        return read(() -> server.row().clockAhead()).map(nature.time()::plus);
    }

    @Override
    public void keepClock(Clock clock) {
        Duration ahead = Duration.between(nature.time(), clock.instant());
        ledger.held(() -> server.change(server.row().withClockAhead(ahead)));
    }

    @Override
    public boolean isOtherCopy() {
        return guard.identity().isOtherThan(read(() -> server.row().noted()));
    }

    @Override
    public Optional<String> failure() {
        return state.ended();
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
        return List.of();
    }

    @Override
    public void close() {
        session.close();
        relay.close();
        readers.close();
    }

    private <T> T read(Supplier<T> statement) {
        return readers.call(connection -> on(connection, statement::get));
    }

    private <T> T relayed(Supplier<T> statement) {
        return relay.call(connection -> on(connection, statement::get));
    }

    private <T> T on(Connection connection, InMemoryPostgres.Statement<T> statement) throws SQLException {
        return server.run(FakeConnection.of(connection), statement);
    }

    /** Changes something where the row of the writer is as the fence says; the new place of the row. */
    private Optional<String> moved(CommitSession.Fence fence, boolean alsoAt, Runnable change) {
        if (!alsoAt || !server.isAt(fence)) {
            return Optional.empty();
        }
        change.run();
        server.change(server.row().moved());
        return Optional.of(server.row().ctid());
    }

    private boolean isAfter(CommitSession.Fence fence) {
        return server.lastCommit().equals(fence.last());
    }

    private final class Facts implements FactStore {
        private @Nullable CommitPosition done;

        @Override
        public @Nullable StoredRow find(String table, KeyBytes key) {
            return read(() -> Optional.ofNullable(stores.facts().find(table, key)))
                    .orElse(null);
        }

        @Override
        public @Nullable StoredRow current(String table, KeyBytes key) {
            Optional<StoredRow> row = session.run((connection, fence) ->
                    on(connection, () -> Optional.ofNullable(stores.facts().current(table, key))));
            return row.orElse(null);
        }

        @Override
        public List<@Nullable StoredRow> findAll(String table, List<KeyBytes> keys) {
            return read(() -> stores.facts().findAll(table, keys));
        }

        @Override
        public ScanPage scan(String table, @Nullable KeyBytes afterKey, int limit, long maxBytes) {
            return read(() -> stores.facts().scan(table, afterKey, limit, maxBytes));
        }

        @Override
        public FactSnapshot snapshot(String table) {
            return read(() -> stores.facts().snapshot(table));
        }

        @Override
        public Optional<SourcePosition> sourcePosition(String source) {
            session.requireCertain();
            return read(() -> stores.facts().sourcePosition(source));
        }

        @Override
        public Optional<SourcePosition> currentPosition(String source) {
            return session.run(
                    (connection, fence) -> on(connection, () -> stores.facts().sourcePosition(source)));
        }

        @Override
        public CommitPosition currentCommit() {
            if (done != null && !nature.findsOutWhatBecameOfACommit()) {
                return done;
            }
            return session.readHeld((connection, fence) -> on(
                    connection,
                    () -> Optional.of(stores.facts().lastCommit())
                            .filter(last -> server.row().term() == fence.term())));
        }

        @Override
        public CommitPosition lastCommit() {
            if (done != null && !nature.findsOutWhatBecameOfACommit()) {
                return done;
            }
            session.requireCertain();
            return read(stores.facts()::lastCommit);
        }

        @Override
        public void commit(FactBatch batch) {
            session.commit(
                    batch.through().version(), (connection, fence) -> on(connection, () -> commit(batch, fence)));
            done = batch.through();
        }

        private Optional<String> commit(FactBatch batch, CommitSession.Fence fence) {
            boolean isHeld = server.row().term() == fence.term();
            boolean trusts = !nature.checksTheRow();
            CommitSession.Fence asked = trusts
                    ? new CommitSession.Fence(
                            server.row().term(),
                            server.lastCommit(),
                            server.row().ctid())
                    : fence;
            return moved(asked, isAfter(asked), () -> {
                nature.commits(batch, server.lastCommit(), isHeld);
                stores.facts().commit(batch);
            });
        }

        @Override
        public void reserveTimestamps(Instant time) {
            session.runHeld((connection, fence) ->
                    on(connection, () -> moved(fence, true, () -> stores.facts().reserveTimestamps(time))));
        }

        @Override
        public void beginEpoch(CommitPosition at) {
            session.commit(
                    at.version(),
                    (connection, fence) -> on(
                            connection,
                            () -> moved(fence, isAfter(fence), () -> {
                                stores.facts().beginEpoch(at);
                                server.change(server.row().noting(guard.identity()));
                            })));
        }

        @Override
        public Map<DigestKey, Digest> digests() {
            return session.run((connection, fence) -> on(connection, stores.facts()::digests));
        }

        @Override
        public void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone) {
            session.runHeld((connection, fence) ->
                    on(connection, () -> moved(fence, true, () -> stores.facts().keepDigests(known, gone))));
        }
    }

    /** Knows its marks itself, and puts none back. */
    private final class Changes implements Outbox {
        private long published;
        private long lowWater;

        private void load() {
            published = read(stores.outbox()::publishedThrough);
            lowWater = read(stores.outbox()::lowWaterMark);
        }

        @Override
        public List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes) {
            return relayed(() -> stores.outbox().readAfter(Math.max(sequence, lowWater), maxEntries, maxBytes));
        }

        @Override
        public long publishedThrough() {
            return published;
        }

        @Override
        public void markPublished(long sequence) {
            published = sequence;
            move(sequence, () -> mark(sequence));
        }

        private void mark(long sequence) {
            stores.outbox().markPublished(Math.max(sequence, stores.outbox().publishedThrough()));
        }

        private void move(long through, Runnable change) {
            if (!relayed(() -> ledger.isHeld() && server.lastCommit().sequence() >= through && Ledger.run(change))) {
                throw state.displaced();
            }
        }

        @Override
        public void makeMarksDurable() {
            move(published, () -> {
                mark(published);
                stores.outbox().makeMarksDurable();
            });
        }

        @Override
        public long lowWaterMark() {
            return lowWater;
        }

        @Override
        public void trim(long throughSequence) {
            move(published, () -> {
                mark(published);
                stores.outbox().trim(throughSequence);
            });
            lowWater = Math.max(lowWater, throughSequence);
        }
    }

    /** Changes only while the right is held. */
    private final class Ledger implements TopicLedger {
        @Override
        public Optional<TopicRecord> find(String table) {
            return relayed(() -> stores.ledger().find(table));
        }

        @Override
        public void save(String table, TopicRecord topic, boolean durably) {
            held(() -> stores.ledger().save(table, topic, durably));
        }

        @Override
        public Set<String> tables() {
            return relayed(stores.ledger()::tables);
        }

        @Override
        public void forget(String table) {
            relayed(() -> isHeld() && run(() -> stores.ledger().forget(table)));
        }

        @Override
        public long nextSession(long least) {
            long[] next = new long[1];
            held(() -> next[0] = stores.ledger().nextSession(least));
            return next[0];
        }

        @Override
        public long lastSession() {
            return relayed(stores.ledger()::lastSession);
        }

        @Override
        public Optional<RowVersion> unsettled() {
            return relayed(stores.ledger()::unsettled);
        }

        @Override
        public void unsettled(RowVersion since) {
            held(() -> stores.ledger().unsettled(since));
        }

        @Override
        public void settled() {
            relayed(() -> isHeld() && run(stores.ledger()::settled));
        }

        private void held(Runnable change) {
            if (!relayed(() -> isHeld() && run(change))) {
                throw state.displaced();
            }
        }

        private boolean isHeld() {
            return server.row().holder().equals(session.holderId());
        }

        private static boolean run(Runnable change) {
            change.run();
            return true;
        }
    }
}
