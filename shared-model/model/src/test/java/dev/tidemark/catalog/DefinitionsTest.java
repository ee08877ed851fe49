package dev.tidemark.catalog;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.row.FieldPath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

class DefinitionsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);
    private static final String BY_TOWN = "by_town: {key: [town]}";
    private static final String BY_NAME = "by_name: {key: [name], projection: all}";

    @Test
    void numbersTheIndexesOfTheFirstCatalogInItsOrder() throws Exception {
        Definitions first = people(BY_TOWN, BY_NAME);

        assertThat(first.version()).isEqualTo(1);
        assertThat(first.at()).isEqualTo(NOON);
        assertThat(ids(first)).containsExactly(1L, 2L);
        assertThat(first.nextGeneration()).isEqualTo(3);
        assertThat(first.catalog().publicName(first.catalog().indexes().get(0))).isEqualTo("by_town");
    }

    @Test
    void givesACreatedIndexTheNextNumber() throws Exception {
        Definitions changed = people(BY_TOWN).changed(catalog(BY_NAME, BY_TOWN), LATER);

        assertThat(changed.version()).isEqualTo(2);
        assertThat(changed.at()).isEqualTo(LATER);
        assertThat(ids(changed)).containsExactly(2L, 1L);
    }

    @Test
    void aTableStaysPausedThroughChangesAndOnTheWayAsJsonUntilItIsResumed() throws Exception {
        Definitions paused = people(BY_TOWN).withPaused("people", true, LATER);
        assertThat(paused.version()).isEqualTo(2);
        assertThat(paused.withPaused("people", true, LATER.plusSeconds(9))).isSameAs(paused);

        Definitions changed = paused.changed(catalog(BY_NAME, BY_TOWN), LATER.plusSeconds(1))
                .with(new IndexOperation(IndexOperation.Kind.PAUSE, "people", "by_name"), LATER);
        Definitions read = DefinitionsJson.read(DefinitionsJson.write(changed));
        assertThat(read.table("people").orElseThrow().pausedSince()).contains(LATER);

        Definitions resumed = read.withPaused("people", false, LATER);
        assertThat(resumed.version()).isEqualTo(5);
        assertThat(resumed.table("people").orElseThrow().pausedSince()).isEmpty();
        assertThat(resumed.withPaused("people", false, LATER)).isSameAs(resumed);
        assertThatThrownBy(() -> resumed.withPaused("none", true, LATER))
                .isInstanceOf(OperationRefusedException.class)
                .hasMessageContaining("[people]");
    }

    @Test
    void eachGenerationOfAGlobalIndexIsATableOfItsOwn() throws Exception {
        Definitions local = people(BY_TOWN, BY_NAME);
        assertThat(local.layout()).isSameAs(local);

        Definitions global =
                local.changed(catalog("by_town: {key: [town], scope: global, partitions: 8}", BY_NAME), LATER);
        assertThat(DefinitionsJson.read(DefinitionsJson.write(global))).isEqualTo(global);
        Definitions layout = global.layout();
        assertThat(layout.generations("people")).extracting(Generation::id).containsExactly(1L, 2L);
        DesiredTable derived = layout.table("people.by_town.3").orElseThrow();
        assertThat(derived.definition().partitions()).isEqualTo(8);
        assertThat(derived.generations()).extracting(Generation::id).containsExactly(3L);
        assertThat(DerivedTable.of(derived.name())).contains(new DerivedTable("people", "by_town", 3));

        Definitions wider =
                global.changed(catalog("by_town: {key: [town], scope: global, partitions: 16}", BY_NAME), LATER);
        assertThat(ids(wider)).containsExactly(4L, 1L, 2L);
        assertThat(wider.with(new IndexOperation(IndexOperation.Kind.RETIRE, "people", "by_town"), LATER)
                        .layout()
                        .tables())
                .extracting(DesiredTable::name)
                .containsExactly("people", "people.by_town.4");
    }

    @Test
    void onlyTheGenerationThatIsBuiltIsPausedAndNotTheOneThatAnswers() throws Exception {
        String global = "by_town: {key: [town], scope: global, partitions: 8}";
        Definitions wider = people(global)
                .changed(catalog(global.replace("8", "16")), LATER)
                .with(order(IndexOperation.Kind.PAUSE), LATER)
                .layout();
        assertThat(wider.index("people.by_town.1", "by_town").orElseThrow().paused())
                .isFalse();
        assertThat(wider.index("people.by_town.2", "by_town").orElseThrow().paused())
                .isTrue();

        Definitions grown = people(BY_TOWN)
                .changed(grown(12, BY_TOWN), LATER)
                .with(order(IndexOperation.Kind.PAUSE), LATER)
                .layout();
        assertThat(grown.index("people", "by_town").orElseThrow().paused()).isFalse();
        assertThat(grown.index("people.2", "by_town").orElseThrow().paused()).isTrue();
    }

    @Test
    void aTableThatGrowsBuildsItsLocalIndexesInOneOtherLayout() throws Exception {
        String global = "by_zip: {key: [zip], scope: global, partitions: 2}";
        Definitions before = people(BY_TOWN, BY_NAME, global);
        assertThat(before.diff(grown(12, BY_TOWN, BY_NAME, global)))
                .extracting(IndexChange::action, change -> change.index().name())
                .containsExactly(tuple("move", "by_town"), tuple("move", "by_name"));

        Definitions grown = before.changed(grown(12, BY_TOWN, BY_NAME, global), LATER);

        assertThat(DefinitionsJson.read(DefinitionsJson.write(grown))).isEqualTo(grown);
        DesiredTable people = grown.table("people").orElseThrow();
        assertThat(people.partitions()).isEqualTo(12);
        assertThat(people.definition().partitions()).isEqualTo(3);
        assertThat(people.layout()).contains(new Layout(4, 12));
        assertThat(ids(grown)).containsExactly(5L, 1L, 6L, 2L, 3L);
        DesiredTable layout = grown.layout().table("people.4").orElseThrow();
        assertThat(layout.definition().partitions()).isEqualTo(12);
        assertThat(layout.generations()).extracting(Generation::id).containsExactly(5L, 6L);
        assertThat(layout.definition().indexes())
                .extracting(IndexDefinition::table)
                .containsOnly("people.4");
        assertThat(grown.layout().generations("people"))
                .extracting(Generation::id)
                .containsExactly(1L, 2L);
        assertThat(DerivedTable.of("people.4")).contains(new DerivedTable("people", "", 4));
        assertThat(grown.wanted().tables())
                .isEqualTo(grown(12, BY_TOWN, BY_NAME, global).tables());
        assertThat(grown.diff(grown(12, BY_TOWN, BY_NAME, global))).isEmpty();
        assertThat(grown.changed(grown(12, BY_TOWN, BY_NAME, global), LATER)).isSameAs(grown);
    }

    @Test
    void aTableThatShrinksToWhatItHadUntilNowReturnsToTheGenerationsThatAreThere() throws Exception {
        Definitions grown = people(BY_TOWN).changed(grown(12, BY_TOWN), LATER);
        Definitions back = grown.changed(catalog(BY_TOWN), LATER);

        assertThat(ids(back)).containsExactly(1L, 3L);
        assertThat(back.table("people").orElseThrow().layout()).isEmpty();
        assertThat(ids(back.changed(grown(12, BY_TOWN), LATER))).containsExactly(3L, 1L);

        Definitions settled = grown.with(order(IndexOperation.Kind.RETIRE), LATER);
        assertThat(settled.layout().tables()).extracting(DesiredTable::name).containsExactly("people", "people.2");
        Definitions shrunk = settled.changed(grown(6, BY_TOWN), LATER);
        assertThat(ids(shrunk)).containsExactly(5L, 3L);
        assertThat(shrunk.layout().tables())
                .extracting(DesiredTable::name)
                .containsExactly("people", "people.4", "people.2");
        assertThat(DefinitionsJson.read(DefinitionsJson.write(shrunk))).isEqualTo(shrunk);
    }

    @Test
    void aTableThatGrowsAgainAfterItsLayoutWasLeftGetsAnotherOne() throws Exception {
        Definitions left =
                people(BY_TOWN).changed(grown(12, BY_TOWN), LATER).with(order(IndexOperation.Kind.CANCEL), LATER);
        assertThat(left.layout().tables()).extracting(DesiredTable::name).containsExactly("people");

        Definitions again = left.changed(grown(12, BY_TOWN), LATER);

        assertThat(again.layout().tables()).extracting(DesiredTable::name).containsExactly("people", "people.4");
    }

    @Test
    void anIndexThatIsCreatedInAGrownTableIsInItsLayout() throws Exception {
        Definitions grown = people(BY_TOWN)
                .changed(grown(12, BY_TOWN), LATER)
                .with(order(IndexOperation.Kind.RETIRE), LATER)
                .changed(grown(12, BY_TOWN, BY_NAME), LATER);

        assertThat(grown.layout().generations("people.2"))
                .extracting(Generation::id)
                .containsExactly(3L, 4L);
        assertThat(grown.layout().generations("people")).isEmpty();
        Definitions more = grown.withNewTables(
                CatalogReader.read("c", "tables: {people: {primaryKey: id}, films: {primaryKey: id}}"),
                Set.of(),
                LATER);
        assertThat(more.table("people")).isEqualTo(grown.table("people"));
    }

    @Test
    void anIndexThatIsRolledBackIsToMoveAgain() throws Exception {
        Definitions grown = people(BY_TOWN).changed(grown(12, BY_TOWN), LATER);
        Definitions back = grown.with(order(IndexOperation.Kind.ROLLBACK), LATER);

        assertThat(back.diff(grown(12, BY_TOWN)))
                .containsExactly(new IndexChange.Move(back.catalog().indexes().get(0), 3, 12));
    }

    @Test
    void aMoveThatWasCancelledOrRolledBackDoesNotBeginAgainWithAnotherChange() throws Exception {
        Catalog films = CatalogReader.read("c", "tables: {films: {primaryKey: id, indexes: {by_year: {key: [year]}}}}");
        String global = "by_zip: {key: [zip], scope: global, partitions: 2}";
        Definitions grown = people(BY_TOWN, BY_NAME, global).changed(grown(12, BY_TOWN, BY_NAME, global), LATER);
        for (IndexOperation.Kind kind : List.of(IndexOperation.Kind.CANCEL, IndexOperation.Kind.ROLLBACK)) {
            Definitions half = grown.with(new IndexOperation(kind, "people", "by_name"), LATER);
            assertThat(half.table("people").orElseThrow().partitions()).isEqualTo(12);

            Definitions back = half.with(order(kind), LATER);

            assertThat(back.table("people").orElseThrow().layout()).isEmpty();
            assertThat(back.isInForce(back.wanted())).isTrue();
            assertThat(back.withNewTables(films, Set.of(), LATER).table("people"))
                    .isEqualTo(back.table("people"));
            assertThat(DefinitionsJson.read(DefinitionsJson.write(back))).isEqualTo(back);
            assertThat(back.diff(grown(12, BY_TOWN, BY_NAME, global))).hasSize(2);
        }
    }

    @Test
    void aNewTableLeavesAMoveAsItIs() throws Exception {
        Catalog films = CatalogReader.read("c", "tables: {films: {primaryKey: id, indexes: {by_year: {key: [year]}}}}");
        Definitions half = people(BY_TOWN, BY_NAME)
                .changed(grown(12, BY_TOWN, BY_NAME), LATER)
                .with(order(IndexOperation.Kind.CANCEL), LATER);

        Definitions more = half.withNewTables(films, Set.of(), LATER);

        assertThat(more.table("people")).isEqualTo(half.table("people"));
        assertThat(more.generations("films")).extracting(Generation::id).containsExactly(6L);
    }

    @Test
    void theMoveOfAnIndexThatIsCancelledBeforeItEverAnsweredEnds() throws Exception {
        Definitions back = people(BY_TOWN)
                .changed(grown(12, BY_TOWN, BY_NAME), LATER)
                .with(order(IndexOperation.Kind.ROLLBACK), LATER);
        assertThat(back.table("people").orElseThrow().partitions()).isEqualTo(12);

        Definitions ended = back.with(new IndexOperation(IndexOperation.Kind.CANCEL, "people", "by_name"), LATER);

        assertThat(ended.isInForce(ended.wanted())).isTrue();
        assertThat(ended.table("people").orElseThrow().partitions()).isEqualTo(3);
    }

    @Test
    void noDerivedTableHasTheTopicOfATableButForDots() throws Exception {
        String tables = "tables: {people_2: {primaryKey: id}, people_by_town_4: {primaryKey: id}, people: {primaryKey:"
                + " id, partitions: %d, indexes: {by_town: {key: [town]%s}}}}";
        Definitions before = Definitions.first(CatalogReader.read("c", tables.formatted(3, "")), NOON);

        Definitions grown = before.changed(CatalogReader.read("c", tables.formatted(12, "")), LATER);
        assertThat(grown.table("people").orElseThrow().layout()).contains(new Layout(3, 12));
        assertThat(ids(grown)).containsExactly(4L, 1L);
        Definitions global = before.changed(CatalogReader.read("c", tables.formatted(12, ", scope: global")), LATER);
        assertThat(global.layout().tables())
                .extracting(DesiredTable::name)
                .contains("people.by_town.5")
                .doesNotContain("people.by_town.4");
    }

    @Test
    void aTableThatLeavesKeepsItsTopicFromADerivedTableInTheSameStep() throws Exception {
        Definitions before = Definitions.first(
                CatalogReader.read(
                        "c",
                        "tables: {people_2: {primaryKey: id}, people: {primaryKey: id, partitions: 3, indexes: {"
                                + BY_TOWN + "}}}"),
                NOON);

        assertThat(before.changed(grown(12, BY_TOWN), LATER)
                        .table("people")
                        .orElseThrow()
                        .layout())
                .contains(new Layout(3, 12));
    }

    @Test
    void aTableThatLeftKeepsItsTopicFromADerivedTableInALaterStep() throws Exception {
        Definitions left = Definitions.first(
                        CatalogReader.read(
                                "c",
                                "tables: {people_2: {primaryKey: id}, people: {primaryKey: id, partitions: 3, indexes: {"
                                        + BY_TOWN + "}}}"),
                        NOON)
                .changed(catalog(BY_TOWN), LATER);

        Definitions grown = left.changed(grown(12, BY_TOWN), Set.of("people", "people_2"), LATER);

        assertThat(grown.table("people").orElseThrow().layout()).contains(new Layout(3, 12));
    }

    @Test
    void aNewTableThatCanGetNoTopicBesideADerivedOneIsRefused() throws Exception {
        Definitions grown = people(BY_TOWN, "by_zip: {key: [zip], scope: global}")
                .changed(grown(12, BY_TOWN, "by_zip: {key: [zip], scope: global}"), LATER);
        Catalog file = CatalogReader.read(
                "c",
                "tables: {people_3: {primaryKey: id}, people_4: {primaryKey: id}, people_by_zip_2: {primaryKey: id}}");

        assertThat(grown.layout().tables())
                .extracting(DesiredTable::name)
                .containsExactly("people", "people.3", "people.by_zip.2");
        assertThat(grown.collisions(file))
                .satisfiesExactly(
                        reason -> assertThat(reason).contains("table people_3 is new", "of table people, people.3"),
                        reason -> assertThat(reason).contains("table people_by_zip_2", "index people.by_zip"));
        assertThat(grown.withNewTables(file, Set.of(), LATER).collisions(file)).isEmpty();
        assertThat(people(BY_TOWN).collisions(file)).isEmpty();
    }

    @Test
    void definitionsOfAnEarlierVersionMayHaveMoreIndexesThanACatalog() throws Exception {
        List<IndexDefinition> many = IntStream.range(0, 200)
                .mapToObj(i -> new IndexDefinition(
                        "people", "i" + i, List.of(KeyPart.of("a")), new Projection.KeysOnly(), RowFilter.NONE))
                .toList();
        TableDefinition people = new TableDefinition("people", List.of(FieldPath.parse("id")), 3, many);
        Definitions earlier = Definitions.first(new Catalog(List.of(people)), NOON);

        assertThat(DefinitionsJson.read(DefinitionsJson.write(earlier))).isEqualTo(earlier);
    }

    @Test
    void keepsTheGenerationBeforeAChange() throws Exception {
        Definitions before = people(BY_TOWN);
        Definitions changed = before.changed(catalog("by_town: {key: [town], projection: [name]}"), LATER);

        DesiredIndex plan = changed.index("people", "by_town").orElseThrow();
        assertThat(plan.current().id()).isEqualTo(2);
        assertThat(plan.previous()).contains(before.generations("people").get(0));
        assertThat(ids(changed)).containsExactly(2L, 1L);
    }

    @Test
    void keepsTheCompleteGenerationWhenAChangeReplacesOneThatIsUnderWay() throws Exception {
        Definitions changed = people(BY_TOWN)
                .changed(catalog("by_town: {key: [a]}"), LATER)
                .changed(catalog("by_town: {key: [b]}"), LATER);

        assertThat(ids(changed)).containsExactly(3L, 1L);
    }

    @Test
    void keepsTheCompleteGenerationWhenAChangeFollowsTheReturnToIt() throws Exception {
        Definitions changed = people(BY_TOWN)
                .changed(catalog("by_town: {key: [a]}"), LATER)
                .changed(catalog(BY_TOWN), LATER)
                .changed(catalog("by_town: {key: [b]}"), LATER);

        assertThat(ids(changed)).containsExactly(3L, 1L);
    }

    @Test
    void keepsTheLastGenerationOnceTheOneBeforeItIsRetired() throws Exception {
        Definitions changed = people(BY_TOWN)
                .changed(catalog("by_town: {key: [a]}"), LATER)
                .with(order(IndexOperation.Kind.RETIRE), LATER)
                .changed(catalog("by_town: {key: [b]}"), LATER);

        assertThat(ids(changed)).containsExactly(3L, 2L);
    }

    @Test
    void returnsToTheOldGenerationWhenItsDefinitionIsWantedAgain() throws Exception {
        Definitions changed = people(BY_TOWN)
                .changed(catalog("by_town: {key: [a]}"), LATER)
                .changed(catalog("by_town: {key: [{field: town, order: asc}]}"), LATER);

        assertThat(ids(changed)).containsExactly(1L, 2L);
    }

    @Test
    void neverGivesTheNumberOfADroppedIndexAgain() throws Exception {
        Definitions again = people(BY_TOWN).changed(catalog(), LATER).changed(catalog(BY_TOWN), LATER);

        assertThat(ids(again)).containsExactly(2L);
        assertThat(again.version()).isEqualTo(3);
    }

    @Test
    void isTheSameVersionWhenTheCatalogMeansTheSame() throws Exception {
        Definitions before = people(BY_TOWN, BY_NAME);

        assertThat(before.changed(catalog(BY_NAME, "by_town: {projection: keys_only, key: [{field: town}]}"), LATER))
                .isSameAs(before);
    }

    @Test
    void tellsWhatACatalogCreatesChangesAndDrops() throws Exception {
        Definitions before = people(BY_TOWN, BY_NAME);
        Catalog wanted = catalog("by_age: {key: [age]}", "by_name: {key: [name]}");

        assertThat(before.diff(wanted))
                .containsExactly(
                        new IndexChange.Create(wanted.indexes().get(0)),
                        new IndexChange.Change(
                                before.catalog().indexes().get(1),
                                wanted.indexes().get(1)),
                        new IndexChange.Drop(before.catalog().indexes().get(0)));
        assertThat(before.diff(before.catalog())).isEmpty();
    }

    @Test
    void refusesAnotherSetOfTablesAndAnotherKey() throws Exception {
        Definitions before = people(BY_TOWN);
        Catalog wanted = CatalogReader.read(
                "c", "tables: {films: {primaryKey: id}, people: {primaryKey: other, partitions: 9}}");

        assertThat(before.foreign(wanted))
                .containsExactly(
                        "table people has the primary key [id], which cannot become [other]",
                        "table films is new; a new table comes into force when the writer starts with a catalog file"
                                + " that has it");
        assertThatThrownBy(() -> before.changed(wanted, LATER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table films is new");
        assertThat(before.foreign(CatalogReader.read("c", "tables: {films: {primaryKey: id}}")))
                .contains(
                        "table people is in force, but the catalog does not have it; drop its indexes by_town first, and then"
                                + " leave the table out");
    }

    @Test
    void aTableWithoutIndexesCanLeave() throws Exception {
        Definitions before = people(BY_TOWN)
                .withNewTables(CatalogReader.read("c", "tables: {films: {primaryKey: id}}"), Set.of(), LATER);
        Catalog wanted = people(BY_TOWN).catalog();

        assertThat(before.leaving(wanted)).containsExactly("films");
        assertThat(before.foreign(wanted)).isEmpty();
        Definitions after = before.changed(wanted, LATER);
        assertThat(after.version()).isEqualTo(before.version() + 1);
        assertThat(after.table("films")).isEmpty();
        assertThat(after.table("people")).isEqualTo(before.table("people"));
    }

    @Test
    void takesInTheNewTablesOfACatalogAndNothingElse() throws Exception {
        Definitions before = people(BY_TOWN);
        Catalog file = CatalogReader.read(
                "c",
                "tables: {people: {primaryKey: id, partitions: 3, indexes: {}},"
                        + " films: {primaryKey: id, indexes: {by_year: {key: [year]}}}}");

        Definitions after = before.withNewTables(file, Set.of(), LATER);

        assertThat(after.version()).isEqualTo(2);
        assertThat(ids(after)).containsExactly(1L);
        assertThat(after.generations("films")).extracting(Generation::id).containsExactly(2L);
        assertThat(after.withNewTables(file, Set.of(), LATER)).isSameAs(after);
    }

    @Test
    void carriesOutOrders() throws Exception {
        Definitions changed = people(BY_TOWN).changed(catalog("by_town: {key: [a]}"), LATER);

        Definitions paused = changed.with(order(IndexOperation.Kind.PAUSE), LATER);
        assertThat(paused.index("people", "by_town").orElseThrow().paused()).isTrue();
        assertThat(paused.version()).isEqualTo(3);
        assertThat(paused.with(order(IndexOperation.Kind.PAUSE), LATER)).isSameAs(paused);
        assertThat(paused.with(order(IndexOperation.Kind.RESUME), LATER).tables())
                .isEqualTo(changed.tables());
        assertThat(ids(changed.with(order(IndexOperation.Kind.ROLLBACK), LATER)))
                .containsExactly(1L, 2L);
        assertThat(ids(changed.with(order(IndexOperation.Kind.CANCEL), LATER))).containsExactly(1L);
        assertThat(ids(changed.with(order(IndexOperation.Kind.RETIRE), LATER))).containsExactly(2L);
        assertThat(ids(people(BY_TOWN).with(order(IndexOperation.Kind.CANCEL), LATER)))
                .isEmpty();
    }

    @Test
    void aBuildThatIsPausedIsNotKeptWhenItsIndexReturnsToTheGenerationBefore() throws Exception {
        Definitions changed = people(BY_TOWN)
                .changed(catalog("by_town: {key: [a]}"), LATER)
                .with(order(IndexOperation.Kind.PAUSE), LATER);

        for (Definitions back : List.of(
                changed.with(order(IndexOperation.Kind.ROLLBACK), LATER), changed.changed(catalog(BY_TOWN), LATER))) {
            assertThat(ids(back)).containsExactly(1L);
            assertThat(back.index("people", "by_town").orElseThrow().paused()).isFalse();
        }
    }

    @Test
    void aLayoutThatIsPausedRestsUntilTheLastOfItsIndexesHasReturnedAndThenGoes() throws Exception {
        IndexOperation pauseByName = new IndexOperation(IndexOperation.Kind.PAUSE, "people", "by_name");
        Definitions grown = people(BY_TOWN, BY_NAME)
                .changed(grown(12, BY_TOWN, BY_NAME), LATER)
                .with(order(IndexOperation.Kind.PAUSE), LATER)
                .with(pauseByName, LATER);

        Definitions half = grown.with(order(IndexOperation.Kind.ROLLBACK), LATER);
        assertThat(half.layout().table("people.3").orElseThrow().isBuildPaused())
                .isTrue();
        Definitions back = half.with(new IndexOperation(IndexOperation.Kind.ROLLBACK, "people", "by_name"), LATER);

        assertThat(back.layout().tables()).extracting(DesiredTable::name).containsExactly("people");
        assertThat(grown.changed(catalog(BY_TOWN, BY_NAME), LATER).layout().tables())
                .extracting(DesiredTable::name)
                .containsExactly("people");
    }

    @Test
    void refusesOrdersWithoutGround() throws Exception {
        Definitions one = people(BY_TOWN);

        assertThatThrownBy(() -> one.with(order(IndexOperation.Kind.ROLLBACK), LATER))
                .isInstanceOf(OperationRefusedException.class)
                .hasMessageContaining("generation 1 is the only one");
        assertThatThrownBy(() -> one.with(new IndexOperation(IndexOperation.Kind.PAUSE, "people", "by_age"), LATER))
                .isInstanceOf(OperationRefusedException.class)
                .hasMessageContaining("there is no by_age in version 1");
    }

    @Test
    void refusesANumberThatIsStillToBeGiven() throws Exception {
        List<DesiredTable> tables = people(BY_TOWN).tables();

        assertThatThrownBy(() -> new Definitions(1, NOON, tables, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Long> ids(Definitions definitions) {
        return definitions.generations("people").stream().map(Generation::id).toList();
    }

    private static IndexOperation order(IndexOperation.Kind kind) {
        return new IndexOperation(kind, "people", "by_town");
    }

    private static Definitions people(String... indexes) throws CatalogException {
        return Definitions.first(catalog(indexes), NOON);
    }

    private static Catalog catalog(String... indexes) throws CatalogException {
        return grown(3, indexes);
    }

    private static Catalog grown(int partitions, String... indexes) throws CatalogException {
        return CatalogReader.read(
                "c",
                "tables: {people: {primaryKey: id, partitions: " + partitions + ", indexes: {"
                        + String.join(", ", indexes) + "}}}");
    }
}
