package dev.tidemark.writer.define;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.testkit.InMemoryDefinitionStore;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DefinitionPublisherTest {
    private final ManualClock clock = new ManualClock();
    private final DefinitionDesk desk =
            TestTables.unconfirmedDesk(new InMemoryDefinitionStore(new InMemoryDisk()), clock);
    private final Log log = new Log();
    private final DefinitionPublisher publisher = new DefinitionPublisher(desk, log, clock);

    @Test
    void publishesWhatIsInForceOnce() throws Exception {
        publisher.doWork();
        publisher.doWork();

        assertThat(log.versions()).containsExactly(1L);
    }

    @Test
    void publishesAChangeAtOnce() throws Exception {
        publisher.doWork();
        change();

        assertThat(publisher.doWork()).isEqualTo(1);

        assertThat(log.versions()).containsExactly(1L, 2L);
    }

    @Test
    void publishesNothingThatIsPublishedAlready() throws Exception {
        log.published.add(desk.current());

        publisher.doWork();

        assertThat(log.versions()).containsExactly(1L);
    }

    @Test
    void publishesAgainWhatTheLogHasLost() throws Exception {
        publisher.doWork();
        log.published.clear();

        clock.advance(Duration.ofSeconds(11));
        publisher.doWork();

        assertThat(log.versions()).containsExactly(1L);
    }

    @Test
    void triesAgainWhenTheLogIsBack() throws Exception {
        publisher.doWork();
        log.published.clear();
        log.down = true;
        clock.advance(Duration.ofSeconds(11));
        publisher.doWork();
        change();
        assertThat(publisher.doWork()).isZero();

        log.down = false;
        clock.advance(Duration.ofSeconds(1));
        publisher.doWork();

        assertThat(log.versions()).containsExactly(2L);
    }

    @Test
    void goesOnFromWhatWasPublishedBeforeTheDirectoryWasPutBack() throws Exception {
        Definitions later =
                desk.current().changed(new Catalog(List.of(TestTables.MOVIES, withoutIndexes())), Instant.EPOCH);
        log.published.add(later);

        publisher.doWork();
        assertThat(desk.current()).isEqualTo(later);

        desk.change(2, (present, at) -> present.changed(TestTables.CATALOG, at));
        publisher.doWork();
        assertThat(log.versions()).containsExactly(2L, 3L);
        assertThat(desk.current().generations("customers").get(0).id()).isEqualTo(2);
    }

    @Test
    void nothingIsChangedUntilTheLogHasToldWhatWasPublished() throws Exception {
        log.down = true;
        publisher.doWork();
        assertThatThrownBy(this::change)
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("down");

        log.down = false;
        clock.advance(Duration.ofSeconds(1));
        publisher.doWork();
        change();

        assertThat(desk.current().version()).isEqualTo(2);
    }

    private void change() throws Exception {
        Catalog wanted = new Catalog(List.of(TestTables.MOVIES, withoutIndexes()));
        desk.change(desk.current().version(), (present, at) -> present.changed(wanted, at));
    }

    private static TableDefinition withoutIndexes() {
        return new TableDefinition(
                "customers", TestTables.CUSTOMERS.primaryKey(), TestTables.CUSTOMERS.partitions(), List.of());
    }

    /** What was published, and whether the log answers. */
    private static final class Log implements DefinitionLog {
        private final List<Definitions> published = new ArrayList<>();
        private boolean down;

        List<Long> versions() {
            return published.stream().map(Definitions::version).toList();
        }

        @Override
        public Optional<Definitions> find() throws LogUnavailableException {
            answer();
            return published.isEmpty() ? Optional.empty() : Optional.of(published.get(published.size() - 1));
        }

        @Override
        public void publish(Definitions definitions) throws LogUnavailableException {
            answer();
            published.add(definitions);
        }

        private void answer() throws LogUnavailableException {
            if (down) {
                throw new LogUnavailableException("down");
            }
        }
    }
}
