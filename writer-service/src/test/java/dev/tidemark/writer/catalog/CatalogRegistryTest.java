package dev.tidemark.writer.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.catalog.OperationRefusedException;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.testkit.InMemoryDefinitionStore;
import dev.tidemark.writer.testkit.InMemoryDisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CatalogRegistryTest {
    private static final Duration PATIENCE = Duration.ofMillis(10);

    private final InMemoryDisk disk = new InMemoryDisk();
    private final InMemoryDefinitionStore store = new InMemoryDefinitionStore(disk);
    private final ManualClock clock = new ManualClock();

    @Test
    void beginsWithTheCatalogFile() throws Exception {
        Definitions first = open("by_town: {key: [town]}").current();

        assertThat(first.version()).isEqualTo(1);
        assertThat(first.generations("t")).hasSize(1);
        assertThat(store.load()).contains(first);
    }

    @Test
    void whatIsStoredWinsOverTheFile() throws Exception {
        Definitions first = open("by_town: {key: [town]}").current();

        assertThat(open("by_name: {key: [name]}").current()).isEqualTo(first);
    }

    @Test
    void takesInTheNewTablesOfTheFile() throws Exception {
        open("by_town: {key: [town]}");
        Catalog more = CatalogReader.read(
                "c", "tables: {t: {primaryKey: id}, u: {primaryKey: id, indexes: {by_x: {key: [x]}}}}");

        CatalogRegistry registry = CatalogRegistry.open(store, more, Set.of(), clock, PATIENCE);
        assertThat(registry.current().table("u")).isEmpty();
        assertThat(registry.catalog().table("u")).isPresent();
        registry.confirm();
        Definitions whole = registry.current();

        assertThat(whole.version()).isEqualTo(2);
        assertThat(whole.index("t", "by_town")).isPresent();
        assertThat(whole.index("u", "by_x")).isPresent();
        assertThat(store.load()).contains(whole);
    }

    @Test
    void aNewTableOfTheFileThatCanGetNoTopicIsRefused() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        String tables = "tables: {t: {primaryKey: id, partitions: 12, indexes: {by_town: {key: [town]}}}%s}";
        Catalog wider = CatalogReader.read("c", tables.formatted(""));
        Definitions grown = registry.current().changed(wider, clock.instant());
        Catalog more = CatalogReader.read("c", tables.formatted(", t_2: {primaryKey: id}"));

        CatalogRegistry putBack = CatalogRegistry.open(store, more, Set.of(), clock, PATIENCE);
        assertThat(putBack.adopt(grown))
                .hasValueSatisfying(reason -> assertThat(reason).contains("table t_2 is new", "t.2"));
        store.save(grown);
        assertThatThrownBy(() -> CatalogRegistry.open(store, more, Set.of(), clock, PATIENCE))
                .isInstanceOf(BadDefinitionsException.class)
                .hasMessageContaining("table t_2 is new");
    }

    @Test
    void aTableThatHasLeftStaysAwayThoughTheFileOfTheStartHasIt() throws Exception {
        Catalog file = CatalogReader.read("c", "tables: {t: {primaryKey: id}, u: {primaryKey: id}}");
        CatalogRegistry registry = CatalogRegistry.open(store, file, Set.of(), clock, PATIENCE);
        registry.confirm();
        publishAtOnce(registry);

        change(registry, 1, "");
        registry.confirm();

        assertThat(registry.catalog().table("u")).isEmpty();
        assertThat(registry.current().version()).isEqualTo(2);
    }

    @Test
    void aTableThatHasLeftKeepsItsTopicFromADerivedTable() throws Exception {
        String grown = "tables: {t: {primaryKey: id, partitions: 12, indexes: {by_town: {key: [town]}}}}";
        Catalog file = CatalogReader.read("c", grown.replace("12", "3").replace("}}}}", "}}}, t_2: {primaryKey: id}}"));
        CatalogRegistry registry = CatalogRegistry.open(store, file, Set.of("t", "t_2"), clock, PATIENCE);
        registry.confirm();
        publishAtOnce(registry);
        Catalog without = CatalogReader.read("c", grown.replace("12", "3"));
        assertThat(registry.change(1, registry.to(without)).table("t_2")).isEmpty();

        Definitions after = registry.change(2, registry.to(CatalogReader.read("c", grown)));

        assertThat(after.layout().tables()).extracting(DesiredTable::name).containsExactly("t", "t.3");
    }

    @Test
    void aNewTableOfTheFileLeavesATableThatHasLeftItsTopic() throws Exception {
        open("by_town: {key: [town]}");
        Catalog more = CatalogReader.read(
                "c", "tables: {t: {primaryKey: id}, u: {primaryKey: id, indexes: {by_x: {key: [x], scope: global}}}}");

        CatalogRegistry registry = CatalogRegistry.open(store, more, Set.of("t", "u", "u_by_x_2"), clock, PATIENCE);
        registry.confirm();

        assertThat(registry.current().layout().table("u.by_x.3")).isPresent();
    }

    @Test
    void aChangeIsSavedBeforeItIsVisible() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        Definitions before = registry.current();
        disk.failNextWrite(new IllegalStateException("disk full"));

        assertThatThrownBy(() -> change(registry, 1, "")).isInstanceOf(UnconfirmedException.class);
        assertThat(registry.settled()).isEqualTo(before);

        Definitions after = change(registry, 1, "");
        assertThat(registry.current()).isEqualTo(after);
        assertThat(store.load()).contains(after);
        assertThat(open("").current()).isEqualTo(after);
    }

    @Test
    void aChangeThatWasStoredThoughItsStoreFailedIsInForceAsAfterARestart() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        disk.failAfterNextSave(new IllegalStateException("the connection is lost"));

        assertThatThrownBy(() -> change(registry, 1, ""))
                .isInstanceOfSatisfying(
                        UnconfirmedException.class,
                        unknown -> assertThat(unknown.isOutcomeKnown()).isFalse());

        assertThat(registry.settled().version()).isEqualTo(2);
        assertThat(registry.current()).isEqualTo(open("").current());
        assertThatThrownBy(() -> change(registry, 1, "by_age: {key: [age]}")).isInstanceOf(VersionMovedException.class);
    }

    @Test
    void nothingIsChangedFromDefinitionsThatMayHaveBeenReplacedInTheStore() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        disk.failAfterNextSave(new IllegalStateException("the connection is lost"));
        assertThatThrownBy(() -> change(registry, 1, "")).isInstanceOf(UnconfirmedException.class);
        disk.setFull(true);

        assertThatThrownBy(() -> change(registry, 1, "by_age: {key: [age]}"))
                .isInstanceOfSatisfying(
                        UnconfirmedException.class,
                        known -> assertThat(known.isOutcomeKnown()).isTrue())
                .hasMessageContaining("nothing was changed");
        assertThatThrownBy(registry::settled).isInstanceOf(UnconfirmedException.class);
        disk.setFull(false);

        assertThat(registry.inForce(2)).isEqualTo(open("").current());
    }

    @Test
    void ofTwoChangesFromOneVersionOneWinsAndTheOtherIsToldWhatChanged() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        change(registry, 1, "by_name: {key: [name]}");

        assertThatThrownBy(() -> change(registry, 1, "by_age: {key: [age]}"))
                .isInstanceOfSatisfying(VersionMovedException.class, moved -> {
                    assertThat(moved.version()).isEqualTo(2);
                    assertThat(moved.meanwhile())
                            .extracting(IndexChange::action)
                            .containsExactly("create", "drop");
                })
                .hasMessage("expected version 1 of the definitions, but version 2 is in force");
        assertThat(registry.current().catalog().indexesNamed("by_age")).isEmpty();
    }

    @Test
    void aVersionThatNeverWasIsRefusedWithoutAHistory() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");

        assertThatThrownBy(() -> change(registry, 9, ""))
                .isInstanceOfSatisfying(
                        VersionMovedException.class,
                        moved -> assertThat(moved.meanwhile()).isEmpty());
    }

    @Test
    void aChangeThatChangesNothingMakesNoVersion() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");

        assertThat(change(registry, 1, "by_town: {key: [town]}").version()).isEqualTo(1);
        assertThat(registry.current().version()).isEqualTo(1);
    }

    @Test
    void aChangeIsPublishedAndAnsweredOnceItIsEnforced() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        List<String> steps = new ArrayList<>();
        registry.enforcedBy(patience -> {
            steps.add("enforced " + registry.current().version());
            return true;
        });
        registry.publishing().onChange(() -> {
            steps.add("published");
            registry.publishing().published(registry.current().version());
        });

        assertThat(change(registry, 1, "").version()).isEqualTo(2);

        assertThat(steps).containsExactly("enforced 2", "published");
    }

    @Test
    void aChangeThatMayNotBeEnforcedYetIsSaidToBeInForce() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        registry.enforcedBy(patience -> false);

        assertThatThrownBy(() -> change(registry, 1, ""))
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("version 2 of the definitions is on disk and in force")
                .hasMessageContaining("Do not send the change again");

        assertThat(registry.current().version()).isEqualTo(2);
    }

    @Test
    void aRefusedOrderChangesNothing() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        IndexOperation rollback = new IndexOperation(IndexOperation.Kind.ROLLBACK, "t", "by_town");

        assertThatThrownBy(() -> registry.change(1, (present, at) -> present.with(rollback, at)))
                .isInstanceOf(OperationRefusedException.class);
        assertThat(registry.current().version()).isEqualTo(1);
    }

    @Test
    void adoptsWhatItPublishedBeforeItsDirectoryWasPutBack() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        Definitions later = registry.current()
                .changed(catalog("by_name: {key: [name]}"), Instant.EPOCH)
                .changed(catalog(""), Instant.EPOCH);

        assertThat(registry.adopt(later)).isEmpty();
        assertThat(registry.current()).isEqualTo(later);
        assertThat(store.load()).contains(later);
        assertThat(registry.adopt(Definitions.first(catalog(""), Instant.EPOCH)))
                .isEmpty();
        assertThat(registry.current()).isEqualTo(later);
    }

    @Test
    void noVersionIsGivenBeforeItIsKnownWhatWasPublished() throws Exception {
        CatalogRegistry registry = unconfirmed("by_town: {key: [town]}");
        Definitions published = registry.current().changed(catalog("by_name: {key: [name]}"), Instant.EPOCH);
        registry.publishing().unavailable("the broker is away");

        assertThatThrownBy(() -> change(registry, 1, "by_age: {key: [age]}"))
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("nothing was changed")
                .hasMessageContaining("the broker is away");
        assertThat(registry.current().version()).isEqualTo(1);

        assertThat(registry.adopt(published)).isEmpty();
        registry.confirm();
        publishAtOnce(registry);
        assertThatThrownBy(() -> change(registry, 1, "by_age: {key: [age]}")).isInstanceOf(VersionMovedException.class);
        assertThat(change(registry, 2, "by_age: {key: [age]}").version()).isEqualTo(3);
    }

    @Test
    void aNewTableOfTheFileDoesNotTakeTheVersionThatWasPublished() throws Exception {
        Definitions first = open("by_town: {key: [town]}").current();
        Definitions published = first.changed(catalog("by_name: {key: [name]}"), Instant.EPOCH);
        Catalog more = CatalogReader.read("c", "tables: {t: {primaryKey: id}, u: {primaryKey: id}}");
        CatalogRegistry registry = CatalogRegistry.open(store, more, Set.of(), clock, PATIENCE);
        assertThat(registry.current().version()).isEqualTo(1);

        assertThat(registry.adopt(published)).isEmpty();
        registry.confirm();

        assertThat(registry.current().version()).isEqualTo(3);
        assertThat(registry.current().table("u")).isPresent();
        assertThat(registry.current().index("t", "by_name")).isPresent();
        assertThat(registry.adopt(published)).isEmpty();
        assertThat(registry.current().version()).isEqualTo(3);
    }

    @Test
    void aNewTableOfTheFileTakesNoWritesBeforeItIsKnownWithHowManyPartitionsItWasPublished() throws Exception {
        Catalog began = CatalogReader.read("c", "tables: {t: {primaryKey: id}, u: {primaryKey: id, partitions: 4}}");
        Catalog file = CatalogReader.read("c", "tables: {t: {primaryKey: id}, u: {primaryKey: id, partitions: 8}}");
        Definitions published = open("").current().withNewTables(began, Set.of(), Instant.EPOCH);
        CatalogRegistry registry = CatalogRegistry.open(store, file, Set.of(), clock, PATIENCE);

        assertThat(registry.refusal("t")).isEmpty();
        assertThat(registry.refusal("u"))
                .hasValueSatisfying(why -> assertThat(why).contains("table u is new", "it is being read"));

        assertThat(registry.adopt(published)).isEmpty();
        assertThat(registry.refusal("u")).isEmpty();
        assertThat(registry.catalog().table("u"))
                .hasValueSatisfying(u -> assertThat(u.partitions()).isEqualTo(4));
    }

    @Test
    void leavesDefinitionsOfOtherTablesAlone() throws Exception {
        CatalogRegistry registry = open("by_town: {key: [town]}");
        Definitions own = registry.current();
        Catalog other = CatalogReader.read("c", "tables: {u: {primaryKey: id}}");
        Definitions foreign = new Definitions(
                7, Instant.EPOCH, Definitions.first(other, Instant.EPOCH).tables(), 9);

        assertThat(registry.adopt(foreign))
                .hasValueSatisfying(why -> assertThat(why).contains("table u"));
        assertThat(registry.current()).isEqualTo(own);
    }

    private CatalogRegistry open(String indexes) throws CatalogException, BadDefinitionsException {
        CatalogRegistry registry = unconfirmed(indexes);
        registry.confirm();
        publishAtOnce(registry);
        return registry;
    }

    private static void publishAtOnce(CatalogRegistry registry) {
        registry.publishing()
                .onChange(
                        () -> registry.publishing().published(registry.current().version()));
    }

    private CatalogRegistry unconfirmed(String indexes) throws CatalogException, BadDefinitionsException {
        return CatalogRegistry.open(store, catalog(indexes), Set.of(), clock, PATIENCE);
    }

    private static Definitions change(CatalogRegistry registry, long expected, String indexes) throws Exception {
        Catalog wanted = catalog(indexes);
        return registry.change(expected, registry.to(wanted));
    }

    private static Catalog catalog(String... indexes) throws CatalogException {
        return CatalogReader.read(
                "c", "tables: {t: {primaryKey: id, indexes: {" + String.join(", ", List.of(indexes)) + "}}}");
    }
}
