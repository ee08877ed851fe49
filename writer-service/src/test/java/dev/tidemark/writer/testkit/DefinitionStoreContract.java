package dev.tidemark.writer.testkit;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.writer.catalog.DefinitionStore;

import static org.assertj.core.api.Assertions.assertThat;

/** What every {@link DefinitionStore} does. */
public abstract class DefinitionStoreContract {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Definitions FIRST = Definitions.first(TestTables.CATALOG, NOON);

    private StoreFixture fixture = StoreFixture.inMemory();

    protected abstract StoreFixture open();

    @BeforeEach
    void openStores() {
        fixture = open();
    }

    @AfterEach
    void closeStores() {
        fixture.close();
    }

    @Test
    void isEmptyAtFirst() throws Exception {
        assertThat(fixture.stores().definitions().load()).isEmpty();
    }

    @Test
    void givesBackWhatWasSavedLastAfterReopeningToo() throws Exception {
        DefinitionStore store = fixture.stores().definitions();
        TableDefinition bare = new TableDefinition(
                "customers", TestTables.CUSTOMERS.primaryKey(), TestTables.CUSTOMERS.partitions(), List.of());
        Definitions second = FIRST.changed(new Catalog(List.of(bare, TestTables.MOVIES)), NOON.plusMillis(1));

        store.save(FIRST);
        assertThat(store.load()).contains(FIRST);
        store.save(second);

        assertThat(store.load()).contains(second);
        assertThat(fixture.reopened().definitions().load()).contains(second);
    }

    @Test
    void hasOneSecretForGood() {
        String secret = fixture.stores().definitions().secret();

        assertThat(secret).matches("([0-9a-f]{2}){16,}");
        assertThat(fixture.stores().definitions().secret()).isEqualTo(secret);
        assertThat(fixture.reopened().definitions().secret()).isEqualTo(secret);
    }
}
