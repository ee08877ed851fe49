package dev.tidemark.writer.postgres;

import java.time.Clock;
import java.time.Duration;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.row.BadInputException;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.testkit.StoreFixture;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

import static org.assertj.core.api.Assertions.assertThat;

/** Stores in a PostgreSQL database, of a writer that holds the right to commit. */
final class PostgresFixture implements StoreFixture {
    private static final PostgresFactDatabase.Limits LIMITS =
            new PostgresFactDatabase.Limits(1 << 20, 3, Duration.ofSeconds(2));

    private final TestServer server;
    private final FactsSettings settings;
    private PostgresFactDatabase database;
    private WriterStores stores;

    private PostgresFixture(TestServer server) {
        this.server = server;
        this.settings = server.database();
        this.database = open(settings);
        this.stores = stores(database);
    }

    static PostgresFixture of(TestServer.Version version) {
        return new PostgresFixture(TestServer.of(version));
    }

    /** Opens a database, and takes the right to commit from whoever has it. */
    static PostgresFactDatabase open(FactsSettings settings) {
        return open(settings, Clock.systemUTC());
    }

    /** The same with a clock that paces work on the views. */
    static PostgresFactDatabase open(FactsSettings settings, Clock clock) {
        PostgresFactDatabase database = standBy(settings, TestTables.CATALOG, clock);
        take(database);
        return database;
    }

    /** Opens a database, and leaves the right to commit where it is. */
    static PostgresFactDatabase standBy(FactsSettings settings, Catalog catalog, Clock clock) {
        try {
            return PostgresFactDatabase.open(settings, catalog, LIMITS, new FactsDamage(), clock);
        } catch (BadInputException e) {
            throw new AssertionError(e);
        }
    }

    static void take(PostgresFactDatabase database) {
        var terms = database.terms().orElseThrow();
        assertThat(terms.take(terms.holder(), "http://127.0.0.1:8081", "here")).isTrue();
    }

    PostgresFactDatabase database() {
        return database;
    }

    @Override
    public WriterStores stores() {
        return stores;
    }

    @Override
    public WriterStores reopened() {
        database.close();
        database = open(settings);
        stores = stores(database);
        return stores;
    }

    @Override
    public void close() {
        database.close();
        server.giveBack(settings);
    }

    private static WriterStores stores(PostgresFactDatabase database) {
        return new WriterStores(
                database.facts(), database.outbox(), database.tombstones(), database.ledger(), database.definitions());
    }
}
