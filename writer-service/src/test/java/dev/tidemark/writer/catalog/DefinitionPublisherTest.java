package dev.tidemark.writer.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.testkit.InMemoryDefinitionLog;
import dev.tidemark.writer.testkit.InMemoryDefinitionStore;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DefinitionPublisherTest {
    private static final Catalog BARE = new Catalog(List.of(
            TestTables.MOVIES,
            new TableDefinition(
                    "customers", TestTables.CUSTOMERS.primaryKey(), TestTables.CUSTOMERS.partitions(), List.of())));

    private final ManualClock clock = new ManualClock();
    private final InMemoryDisk disk = new InMemoryDisk();
    private final InMemoryDefinitionLog log = new InMemoryDefinitionLog();
    private final AtomicLong epoch = new AtomicLong(1);
    private Writer writer = new Writer(disk);

    /** A writer, as far as it has to do with definitions. */
    private final class Writer {
        private final CatalogRegistry registry;
        private final DefinitionPublisher publisher;
        private boolean running = true;
        private Optional<String> refusal = Optional.empty();

        Writer(InMemoryDisk of) {
            this(of, TestTables.CATALOG);
        }

        Writer(InMemoryDisk of, Catalog file) {
            try {
                registry = CatalogRegistry.open(
                        new InMemoryDefinitionStore(of), file, Set.of(), clock, Duration.ofMillis(10));
            } catch (BadDefinitionsException e) {
                throw new AssertionError(e);
            }
            publisher = new DefinitionPublisher(registry, log, epoch::get, () -> refusal, clock);
            registry.publishing().onChange(() -> {
                if (running) {
                    work();
                }
            });
        }

        int work() {
            try {
                return publisher.doWork();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void look() {
            clock.advance(Duration.ofSeconds(11));
            work();
        }

        Definitions change(Catalog wanted) throws Exception {
            return registry.change(registry.current().version(), (present, at) -> present.changed(wanted, at));
        }

        String trouble() {
            return registry.publishing().trouble().orElse("");
        }
    }

    @BeforeEach
    void publishTheFirst() {
        writer.work();
    }

    @Test
    void publishesWhatIsInForceOnce() throws Exception {
        assertThat(writer.work()).isZero();
        writer.look();

        assertThat(log.versions()).containsExactly(1L);
        assertThat(writer.trouble()).isEmpty();
    }

    @Test
    void aChangeIsPublishedWhenItIsAnswered() throws Exception {
        writer.change(BARE);

        assertThat(log.versions()).containsExactly(1L, 2L);
    }

    @Test
    void publishesNothingThatIsPublishedAlready() throws Exception {
        writer = new Writer(disk);
        writer.work();

        assertThat(log.versions()).containsExactly(1L);
    }

    @Test
    void publishesAgainWhatTheLogHasLost() throws Exception {
        log.lose();

        writer.look();

        assertThat(log.versions()).containsExactly(1L);
    }

    @Test
    void aChangeThatCouldNotBePublishedIsNotMade() throws Exception {
        log.down(true);
        writer.look();

        assertThatThrownBy(() -> writer.change(BARE))
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("nothing was changed")
                .hasMessageContaining("down");
        assertThat(writer.registry.current().version()).isEqualTo(1);

        log.down(false);
        clock.advance(Duration.ofSeconds(1));
        writer.work();
        writer.change(BARE);

        assertThat(log.versions()).containsExactly(1L, 2L);
    }

    @Test
    void aChangeThatTheLogDoesNotTakeIsSaidToWaitAndPublishedLater() throws Exception {
        log.down(true);

        assertThatThrownBy(() -> writer.change(BARE))
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("version 2")
                .hasMessageContaining("waits to be published");
        assertThat(writer.registry.current().version()).isEqualTo(2);
        assertThat(writer.work()).isZero();

        log.down(false);
        clock.advance(Duration.ofSeconds(1));
        writer.work();

        assertThat(log.versions()).containsExactly(1L, 2L);
    }

    @Test
    void goesOnFromWhatWasPublishedBeforeTheDirectoryWasPutBack() throws Exception {
        InMemoryDisk copy = disk.copy();
        Definitions later = writer.change(BARE);

        writer = new Writer(copy);
        assertThat(writer.registry.current().version()).isEqualTo(1);
        writer.work();
        assertThat(writer.registry.current()).isEqualTo(later);

        writer.change(TestTables.CATALOG);
        assertThat(log.versions()).containsExactly(1L, 2L, 3L);
        assertThat(writer.registry.current().generations("customers").get(0).id())
                .isEqualTo(2);
    }

    @Test
    void nothingIsChangedUntilTheLogHasToldWhatWasPublished() throws Exception {
        log.down(true);
        writer = new Writer(disk);
        writer.work();
        assertThatThrownBy(() -> writer.change(BARE))
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("down");

        log.down(false);
        clock.advance(Duration.ofSeconds(1));
        writer.work();

        assertThat(writer.change(BARE).version()).isEqualTo(2);
    }

    @Test
    void aForgedRecordIsPublishedOverAndNeverInForce() throws Exception {
        Definitions own = writer.registry.current();
        Definitions forged = new Definitions(900, Instant.EPOCH, own.tables(), 900, own.deployment());
        log.write(forged);

        writer.look();
        assertThat(writer.registry.current()).isEqualTo(own);
        assertThat(log.versions()).containsExactly(1L, 900L, 1L);
        writer.look();
        assertThat(log.versions()).hasSize(3);

        log.write(forged);
        writer = new Writer(disk);
        writer.work();
        assertThat(writer.registry.current()).isEqualTo(own);
        assertThat(writer.change(BARE).version()).isEqualTo(2);
    }

    @Test
    void aRecordThatCannotBeReadIsPublishedOver() {
        log.write("garbage");
        int reads = log.reads();

        writer.look();
        writer.look();

        assertThat(log.reads()).isEqualTo(reads + 2);
        assertThat(writer.trouble()).isEmpty();
        assertThatThrownBy(log::versions).isInstanceOf(BadDefinitionsException.class);
    }

    @Test
    void aRecordThatANewerVersionOfTheWriterSealedIsLeftAloneAndNamed() throws Exception {
        LoggedDefinitions newer = new DefinitionSeal(writer.registry.secret()).seal("{\"format\":9}", 1);
        log.publish(newer, 2);

        writer.look();

        List<LoggedDefinitions> left = new ArrayList<>();
        log.read(left::add);
        assertThat(left).endsWith(newer);
        assertThat(writer.trouble()).contains("expected definitions of format 1 to 4, but these have format 9");
    }

    @Test
    void theLogOfAnotherDeploymentIsLeftAloneAndNamed() throws Exception {
        Writer other = new Writer(new InMemoryDisk());

        other.work();

        assertThat(log.versions()).containsExactly(1L);
        assertThat(other.trouble())
                .contains(writer.registry.current().deployment())
                .contains(other.registry.current().deployment());
        assertThatThrownBy(() -> other.change(BARE))
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("nothing was changed");

        log.lose();
        other.look();
        assertThat(other.trouble()).isEmpty();
        assertThat(other.change(BARE).version()).isEqualTo(2);
    }

    @Test
    void aRecordThatNamesNoDeploymentIsPublishedOverWhereItIsNotLater() throws Exception {
        log.write(nameless(1));

        writer.look();

        assertThat(log.versions()).containsExactly(1L, 1L, 1L);
        assertThat(writer.trouble()).isEmpty();
        assertThat(writer.change(BARE).version()).isEqualTo(2);
    }

    @Test
    void aLaterRecordThatNamesNoDeploymentIsLeftAloneAndItIsSaidWhatToDo() throws Exception {
        log.write(nameless(2));

        writer.look();

        assertThat(log.versions()).containsExactly(1L, 2L);
        assertThat(writer.trouble())
                .contains("version 2, which names no deployment and is later than version 1")
                .contains("separate brokers")
                .contains("put back a later one")
                .contains("delete the topic");
        assertThatThrownBy(() -> writer.change(BARE))
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("nothing was changed");

        log.lose();
        writer.look();
        assertThat(writer.change(BARE).version()).isEqualTo(2);
    }

    @Test
    void aRefusedPublisherRestsUntilItLooksAgain() throws Exception {
        Writer other = new Writer(new InMemoryDisk());
        other.work();
        int reads = log.reads();

        for (int i = 0; i < 100; i++) {
            assertThat(other.work()).isZero();
        }

        assertThat(log.reads()).isEqualTo(reads);
    }

    @Test
    void aTableThatTheCatalogFileLacksIsNamed() throws Exception {
        InMemoryDisk copy = disk.copy();
        Catalog more = new Catalog(List.of(TestTables.CUSTOMERS, TestTables.MOVIES, films()));
        writer = new Writer(disk, more);
        writer.work();
        assertThat(log.versions()).containsExactly(1L, 2L);

        Writer putBack = new Writer(copy);
        putBack.work();

        assertThat(putBack.trouble()).contains("table films").contains("version 2");
        assertThat(putBack.work()).isZero();
        assertThat(log.versions()).containsExactly(1L, 2L);
    }

    @Test
    void ofTwoWritersOfOneDeploymentTheOneThatFallsBehindStops() throws Exception {
        Writer copied = new Writer(disk.copy());
        copied.work();

        copied.change(BARE);
        writer.look();

        assertThat(writer.trouble()).contains("another writer of this deployment");
        assertThatThrownBy(() -> writer.change(BARE)).isInstanceOf(UnconfirmedException.class);
        assertThat(log.versions()).containsExactly(1L, 2L);
    }

    @Test
    void aWriterOfALaterEpochStopsTheOneOfAnEarlierEpoch() {
        epoch.set(2);
        writer.look();
        assertThat(writer.trouble()).isEmpty();

        epoch.set(1);
        Writer earlier = new Writer(disk.copy());
        earlier.work();
        epoch.set(3);
        writer.look();
        epoch.set(1);
        earlier.look();

        assertThat(earlier.trouble()).contains("in epoch 3");
    }

    @Test
    void aNewTableHasNoGenerationBeforeTheLogWasRead() throws Exception {
        InMemoryDisk copy = disk.copy();
        writer.change(BARE);
        Definitions later = writer.change(TestTables.CATALOG);
        log.down(true);

        Writer putBack = new Writer(copy, new Catalog(List.of(TestTables.CUSTOMERS, TestTables.MOVIES, films())));
        putBack.work();
        assertThat(putBack.registry.current().table("films")).isEmpty();
        assertThat(putBack.registry.catalog().table("films")).isPresent();

        log.down(false);
        clock.advance(Duration.ofSeconds(1));
        putBack.work();

        assertThat(putBack.registry.current().generations("films"))
                .allMatch(generation -> generation.id() >= later.nextGeneration());
        assertThat(putBack.registry.current().version()).isEqualTo(later.version() + 1);
    }

    @Test
    void aStoreThatFailsIsTriedAgain() throws Exception {
        InMemoryDisk copy = disk.copy();
        Writer grown = new Writer(copy, new Catalog(List.of(TestTables.CUSTOMERS, TestTables.MOVIES, films())));
        copy.failNextWrite(new FactsUnavailableException("the database restarts"));

        grown.work();
        assertThat(grown.trouble()).contains("the database restarts");
        assertThat(grown.registry.current().table("films")).isEmpty();

        clock.advance(Duration.ofSeconds(1));
        grown.work();
        assertThat(grown.trouble()).isEmpty();
        assertThat(grown.registry.current().table("films")).isPresent();
    }

    @Test
    void publishesWhatIsStoredAfterTheStoreFailedAtAChange() throws Exception {
        disk.failAfterNextSave(new FactsUnavailableException("the connection is lost"));
        assertThatThrownBy(() -> writer.change(BARE)).isInstanceOf(UnconfirmedException.class);

        disk.setFull(true);
        writer.look();
        assertThat(log.versions()).containsExactly(1L);
        assertThat(writer.trouble()).contains("failed at an earlier change");

        disk.setFull(false);
        writer.look();
        assertThat(log.versions()).containsExactly(1L, 2L);
        assertThat(writer.trouble()).isEmpty();
    }

    @Test
    void aRefusalThatHasPassedHindersNoChange() throws Exception {
        writer.refusal = Optional.of("the process stood still");
        writer.work();
        assertThat(writer.trouble()).contains("stood still");

        writer.refusal = Optional.empty();
        writer.work();

        assertThat(writer.trouble()).isEmpty();
        assertThat(writer.change(BARE).version()).isEqualTo(2);
    }

    /** As releases without deployments published them. */
    private Definitions nameless(long version) {
        Definitions own = writer.registry.current();
        return new Definitions(version, Instant.EPOCH, own.tables(), own.nextGeneration());
    }

    private static TableDefinition films() throws CatalogException {
        return CatalogReader.read("c", "tables: {films: {primaryKey: id, indexes: {by_x: {key: [x]}}}}")
                .table("films")
                .orElseThrow();
    }
}
