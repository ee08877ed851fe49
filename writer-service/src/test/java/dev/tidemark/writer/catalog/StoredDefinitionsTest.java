package dev.tidemark.writer.catalog;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StoredDefinitionsTest {
    private final ManualClock clock = new ManualClock();
    private final SlowStore store = new SlowStore();
    private final StoredDefinitions stored =
            new StoredDefinitions(store, TestTables.CATALOG, clock, new WakeupSignal());

    /** A store whose answers can be held back. */
    private static final class SlowStore implements DefinitionStore {
        private volatile Optional<Definitions> kept = Optional.empty();
        private volatile CountDownLatch answers = new CountDownLatch(0);
        private volatile boolean asked;
        private volatile boolean failing;

        @Override
        public Optional<Definitions> load() {
            asked = true;
            try {
                if (!answers.await(30, TimeUnit.SECONDS)) {
                    throw new AssertionError("was not released");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (failing) {
                throw new FactsUnavailableException("the database is away");
            }
            return kept;
        }

        @Override
        public void save(Definitions definitions) {
            kept = Optional.of(definitions);
        }

        @Override
        public String secret() {
            return "";
        }
    }

    @AfterEach
    void release() {
        store.answers.countDown();
    }

    @Test
    void whatWasReadLastIsThereAtOnceWhileTheStoreDoesNotAnswer() throws Exception {
        stored.agent().doWork();
        Catalog first = stored.catalog();
        store.answers = new CountDownLatch(1);
        store.asked = false;
        clock.advance(Duration.ofSeconds(1));
        try (AgentRunner reading = AgentRunner.start(stored.agent(), Duration.ofMillis(1))) {
            assertThat(BoundedWait.until(() -> store.asked, Duration.ofSeconds(10), Duration.ofMillis(1)))
                    .isTrue();

            assertThat(CompletableFuture.supplyAsync(stored::catalog).get(5, TimeUnit.SECONDS))
                    .isSameAs(first);

            assertThat(reading.failure()).isEmpty();
            store.answers.countDown();
        }
    }

    @Test
    void whatWasReadLastStaysWhileTheStoreFails() throws Exception {
        Definitions kept =
                Definitions.first(new Catalog(TestTables.CATALOG.tables().subList(0, 1)), clock.instant());
        store.save(kept);
        stored.agent().doWork();
        store.failing = true;
        clock.advance(Duration.ofSeconds(1));
        stored.agent().doWork();

        assertThat(stored.definitions()).isEqualTo(kept);
    }

    @Test
    void beforeTheyWereReadNothingIsKnown() throws Exception {
        store.failing = true;
        stored.agent().doWork();

        assertThatThrownBy(stored::catalog)
                .isInstanceOf(FactsUnavailableException.class)
                .hasMessageContaining("not read yet");
    }

    @Test
    void otherDefinitionsAreSeenAfterAMoment() throws Exception {
        stored.agent().doWork();
        Catalog file = stored.catalog();
        store.save(Definitions.first(new Catalog(TestTables.CATALOG.tables().subList(0, 1)), clock.instant()));
        stored.agent().doWork();
        assertThat(stored.catalog()).isSameAs(file);

        clock.advance(Duration.ofMillis(500));
        stored.agent().doWork();

        assertThat(stored.catalog().tables()).hasSize(1);
    }
}
