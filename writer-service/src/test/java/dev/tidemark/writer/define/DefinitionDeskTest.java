package dev.tidemark.writer.define;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.IndexOrder;
import dev.tidemark.catalog.OrderRefusedException;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.testkit.InMemoryDefinitionStore;
import dev.tidemark.writer.testkit.InMemoryDisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DefinitionDeskTest {
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

        DefinitionDesk desk = DefinitionDesk.open(store, more, clock, PATIENCE);
        assertThat(desk.current().table("u")).isEmpty();
        assertThat(desk.catalog().table("u")).isPresent();
        desk.confirm();
        Definitions whole = desk.current();

        assertThat(whole.version()).isEqualTo(2);
        assertThat(whole.index("t", "by_town")).isPresent();
        assertThat(whole.index("u", "by_x")).isPresent();
        assertThat(store.load()).contains(whole);
    }

    @Test
    void aTableThatHasLeftStaysAwayThoughTheFileOfTheStartHasIt() throws Exception {
        Catalog file = CatalogReader.read("c", "tables: {t: {primaryKey: id}, u: {primaryKey: id}}");
        DefinitionDesk desk = DefinitionDesk.open(store, file, clock, PATIENCE);
        desk.confirm();
        publishAtOnce(desk);

        change(desk, 1, "");
        desk.confirm();

        assertThat(desk.catalog().table("u")).isEmpty();
        assertThat(desk.current().version()).isEqualTo(2);
    }

    @Test
    void aChangeIsSavedBeforeItIsVisible() throws Exception {
        DefinitionDesk desk = open("by_town: {key: [town]}");
        Definitions before = desk.current();
        disk.failNextWrite(new IllegalStateException("disk full"));

        assertThatThrownBy(() -> change(desk, 1, "")).hasMessage("disk full");
        assertThat(desk.current()).isEqualTo(before);

        Definitions after = change(desk, 1, "");
        assertThat(desk.current()).isEqualTo(after);
        assertThat(store.load()).contains(after);
        assertThat(open("").current()).isEqualTo(after);
    }

    @Test
    void ofTwoChangesFromOneVersionOneWinsAndTheOtherIsToldWhatChanged() throws Exception {
        DefinitionDesk desk = open("by_town: {key: [town]}");
        change(desk, 1, "by_name: {key: [name]}");

        assertThatThrownBy(() -> change(desk, 1, "by_age: {key: [age]}"))
                .isInstanceOfSatisfying(VersionMovedException.class, moved -> {
                    assertThat(moved.version()).isEqualTo(2);
                    assertThat(moved.meanwhile())
                            .extracting(IndexChange::action)
                            .containsExactly("create", "drop");
                })
                .hasMessage("expected version 1 of the definitions, but version 2 is in force");
        assertThat(desk.current().catalog().indexesNamed("by_age")).isEmpty();
    }

    @Test
    void aVersionThatNeverWasIsRefusedWithoutAHistory() throws Exception {
        DefinitionDesk desk = open("by_town: {key: [town]}");

        assertThatThrownBy(() -> change(desk, 9, ""))
                .isInstanceOfSatisfying(
                        VersionMovedException.class,
                        moved -> assertThat(moved.meanwhile()).isEmpty());
    }

    @Test
    void aChangeThatChangesNothingMakesNoVersion() throws Exception {
        DefinitionDesk desk = open("by_town: {key: [town]}");

        assertThat(change(desk, 1, "by_town: {key: [town]}").version()).isEqualTo(1);
        assertThat(desk.current().version()).isEqualTo(1);
    }

    @Test
    void aChangeIsPublishedAndAnsweredOnceItIsEnforced() throws Exception {
        DefinitionDesk desk = open("by_town: {key: [town]}");
        List<String> steps = new ArrayList<>();
        desk.enforcedBy(patience -> {
            steps.add("enforced " + desk.current().version());
            return true;
        });
        desk.publishing().onChange(() -> {
            steps.add("published");
            desk.publishing().published(desk.current().version());
        });

        assertThat(change(desk, 1, "").version()).isEqualTo(2);

        assertThat(steps).containsExactly("enforced 2", "published");
    }

    @Test
    void aChangeThatMayNotBeEnforcedYetIsSaidToBeInForce() throws Exception {
        DefinitionDesk desk = open("by_town: {key: [town]}");
        desk.enforcedBy(patience -> false);

        assertThatThrownBy(() -> change(desk, 1, ""))
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("version 2 of the definitions is on disk and in force")
                .hasMessageContaining("Do not send the change again");

        assertThat(desk.current().version()).isEqualTo(2);
    }

    @Test
    void aRefusedOrderChangesNothing() throws Exception {
        DefinitionDesk desk = open("by_town: {key: [town]}");
        IndexOrder rollback = new IndexOrder(IndexOrder.Kind.ROLLBACK, "t", "by_town");

        assertThatThrownBy(() -> desk.change(1, (present, at) -> present.with(rollback, at)))
                .isInstanceOf(OrderRefusedException.class);
        assertThat(desk.current().version()).isEqualTo(1);
    }

    @Test
    void adoptsWhatItPublishedBeforeItsDirectoryWasPutBack() throws Exception {
        DefinitionDesk desk = open("by_town: {key: [town]}");
        Definitions later = desk.current()
                .changed(catalog("by_name: {key: [name]}"), Instant.EPOCH)
                .changed(catalog(""), Instant.EPOCH);

        assertThat(desk.adopt(later)).isEmpty();
        assertThat(desk.current()).isEqualTo(later);
        assertThat(store.load()).contains(later);
        assertThat(desk.adopt(Definitions.first(catalog(""), Instant.EPOCH))).isEmpty();
        assertThat(desk.current()).isEqualTo(later);
    }

    @Test
    void noVersionIsGivenBeforeItIsKnownWhatWasPublished() throws Exception {
        DefinitionDesk desk = unconfirmed("by_town: {key: [town]}");
        Definitions published = desk.current().changed(catalog("by_name: {key: [name]}"), Instant.EPOCH);
        desk.publishing().unavailable("the broker is away");

        assertThatThrownBy(() -> change(desk, 1, "by_age: {key: [age]}"))
                .isInstanceOf(UnconfirmedException.class)
                .hasMessageContaining("nothing was changed")
                .hasMessageContaining("the broker is away");
        assertThat(desk.current().version()).isEqualTo(1);

        assertThat(desk.adopt(published)).isEmpty();
        desk.confirm();
        publishAtOnce(desk);
        assertThatThrownBy(() -> change(desk, 1, "by_age: {key: [age]}")).isInstanceOf(VersionMovedException.class);
        assertThat(change(desk, 2, "by_age: {key: [age]}").version()).isEqualTo(3);
    }

    @Test
    void aNewTableOfTheFileDoesNotTakeTheVersionThatWasPublished() throws Exception {
        Definitions first = open("by_town: {key: [town]}").current();
        Definitions published = first.changed(catalog("by_name: {key: [name]}"), Instant.EPOCH);
        Catalog more = CatalogReader.read("c", "tables: {t: {primaryKey: id}, u: {primaryKey: id}}");
        DefinitionDesk desk = DefinitionDesk.open(store, more, clock, PATIENCE);
        assertThat(desk.current().version()).isEqualTo(1);

        assertThat(desk.adopt(published)).isEmpty();
        desk.confirm();

        assertThat(desk.current().version()).isEqualTo(3);
        assertThat(desk.current().table("u")).isPresent();
        assertThat(desk.current().index("t", "by_name")).isPresent();
        assertThat(desk.adopt(published)).isEmpty();
        assertThat(desk.current().version()).isEqualTo(3);
    }

    @Test
    void leavesDefinitionsOfOtherTablesAlone() throws Exception {
        DefinitionDesk desk = open("by_town: {key: [town]}");
        Definitions own = desk.current();
        Catalog other = CatalogReader.read("c", "tables: {u: {primaryKey: id}}");
        Definitions foreign = new Definitions(
                7, Instant.EPOCH, Definitions.first(other, Instant.EPOCH).tables(), 9);

        assertThat(desk.adopt(foreign))
                .hasValueSatisfying(why -> assertThat(why).contains("table u"));
        assertThat(desk.current()).isEqualTo(own);
    }

    private DefinitionDesk open(String indexes) throws CatalogException, BadDefinitionsException {
        DefinitionDesk desk = unconfirmed(indexes);
        desk.confirm();
        publishAtOnce(desk);
        return desk;
    }

    private static void publishAtOnce(DefinitionDesk desk) {
        desk.publishing()
                .onChange(() -> desk.publishing().published(desk.current().version()));
    }

    private DefinitionDesk unconfirmed(String indexes) throws CatalogException, BadDefinitionsException {
        return DefinitionDesk.open(store, catalog(indexes), clock, PATIENCE);
    }

    private static Definitions change(DefinitionDesk desk, long expected, String indexes) throws Exception {
        Catalog wanted = catalog(indexes);
        return desk.change(expected, (present, at) -> present.changed(wanted, at));
    }

    private static Catalog catalog(String... indexes) throws CatalogException {
        return CatalogReader.read(
                "c", "tables: {t: {primaryKey: id, indexes: {" + String.join(", ", List.of(indexes)) + "}}}");
    }
}
