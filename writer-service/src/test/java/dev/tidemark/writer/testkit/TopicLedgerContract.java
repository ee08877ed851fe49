package dev.tidemark.writer.testkit;

import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.outbox.TopicRecord;

import static org.assertj.core.api.Assertions.assertThat;

/** What every {@link TopicLedger} does. */
public abstract class TopicLedgerContract {
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
    void knowsNothingAtFirst() {
        assertThat(fixture.stores().ledger().find("customers")).isEmpty();
    }

    @Test
    void remembersTheLatestOfEachTable() {
        TopicLedger ledger = fixture.stores().ledger();
        TopicRecord customers =
                new TopicRecord("a", false, Map.of(0, 5L, 3, 12_000_000_000L), Map.of(3, 7L), 9, 12_000_000_001L);
        TopicRecord movies = new TopicRecord("b", true, Map.of(), Map.of(), 0, 0);

        ledger.save("customers", new TopicRecord("old", true, Map.of(1, 1L), Map.of(1, 1L), 3, 0), true);
        ledger.save("customers", customers, false);
        ledger.save("movies", movies, true);

        TopicLedger again = fixture.reopened().ledger();
        assertThat(again.find("customers")).contains(customers);
        assertThat(again.find("movies")).contains(movies);
    }

    @Test
    void forgetsATopic() {
        TopicLedger ledger = fixture.stores().ledger();
        TopicRecord topic = new TopicRecord("a", true, Map.of(), Map.of(), 0, 0);
        ledger.save("customers", topic, true);
        ledger.save("customers.by_town.7", topic, true);
        assertThat(ledger.tables()).containsExactlyInAnyOrder("customers", "customers.by_town.7");

        ledger.forget("customers.by_town.7");

        assertThat(fixture.reopened().ledger().tables()).containsExactly("customers");
        assertThat(fixture.stores().ledger().find("customers.by_town.7")).isEmpty();
    }

    @Test
    void aProducerHasAHigherNumberThanAllBefore() {
        TopicLedger ledger = fixture.stores().ledger();
        assertThat(ledger.lastSession()).isZero();
        long first = ledger.nextSession(1_000);
        assertThat(first).isGreaterThan(1_000);
        long second = ledger.nextSession(10);
        assertThat(second).isGreaterThan(first);

        assertThat(ledger.lastSession()).isEqualTo(second);

        TopicLedger reopened = fixture.reopened().ledger();
        assertThat(reopened.lastSession()).isEqualTo(second);
        assertThat(reopened.nextSession(0)).isGreaterThan(second);
    }

    @Test
    void aQuestionToTheTopicsIsOpenUntilItIsAnswered() {
        assertThat(fixture.stores().ledger().unsettled()).isEmpty();

        fixture.stores().ledger().unsettled(new RowVersion(2, 17));

        assertThat(fixture.reopened().ledger().unsettled()).contains(new RowVersion(2, 17));
        fixture.stores().ledger().settled();
        assertThat(fixture.reopened().ledger().unsettled()).isEmpty();
    }
}
