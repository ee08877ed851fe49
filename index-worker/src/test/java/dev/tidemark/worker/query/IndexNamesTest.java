package dev.tidemark.worker.query;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.worker.catalog.BareNames;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class IndexNamesTest {
    private final IndexNames names = Tables.names(Tables.inForce(Tables.catalog()));

    @Test
    void findsAnIndexByItsBareNameWhereThatIsEnough() throws Exception {
        assertThat(names.find("by_town").definition().qualifiedName()).isEqualTo("people.by_town");
        assertThat(names.find("people.by_town").generation().id()).isEqualTo(4);
        assertThat(names.find("films.whole").generation().id()).isEqualTo(3);
    }

    @Test
    void aNameIsLookedUpOnceWhileTheDefinitionsStayTheSame() throws Exception {
        assertThat(names.find("by_town")).isSameAs(names.find("by_town"));
    }

    @Test
    void anIndexGoesByTheShortestNameThatMeansIt() throws Exception {
        assertThat(names.publicName(names.find("people.by_town").definition())).isEqualTo("by_town");
        assertThat(names.publicName(names.find("people.whole").definition())).isEqualTo("people.whole");
    }

    @Test
    void aNameThatMeansNoIndexIsItsOwnOnlySpelling() {
        assertThat(names.spellings("by_colour")).containsExactly("by_colour");
        assertThat(names.spellings("whole")).containsExactly("whole");
    }

    @Test
    void asksBackWhereSeveralTablesHaveThatName() {
        assertThatThrownBy(() -> names.find("whole"))
                .isInstanceOf(BadQueryException.class)
                .hasMessageContaining("write films.whole or people.whole");
    }

    @Test
    void aBareNameInAScopeStaysWithTheTableThatItMeantFirst() throws Exception {
        AtomicReference<Catalog> catalog = new AtomicReference<>(catalog("people", "by_town"));
        BareNames meant = BareNames.NONE.with(catalog("people", "by_town"));
        IndexNames following = new IndexNames(
                () -> Definitions.first(Objects.requireNonNull(catalog.get()), ChangeLog.START), () -> meant);
        assertThat(following.spellings("by_town")).containsExactly("people.by_town", "people.*", "by_town");

        catalog.set(catalog("shops", "by_town"));
        assertThat(following.spellings("by_town"))
                .as("the index that got the name")
                .containsExactly("shops.by_town", "shops.*");
        assertThat(following.spellings("shops.by_town")).containsExactly("shops.by_town", "shops.*");
        assertThat(names.spellings("people.whole")).containsExactly("people.whole", "people.*");

        catalog.set(catalog("people", "by_town"));
        assertThat(following.spellings("people.by_town")).contains("by_town");
    }

    private static Catalog catalog(String table, String index) throws Exception {
        return CatalogReader.read(
                "test",
                "tables: {" + table + ": {primaryKey: id, partitions: 1, indexes: {" + index + ": {key: [town]}}}}");
    }

    @Test
    void listsTheIndexesWhereNoneHasThatName() {
        assertThatThrownBy(() -> names.find("by_colour"))
                .isInstanceOf(UnknownIndexException.class)
                .hasMessageContaining("by_actor, by_year, films.whole, by_town, people.whole")
                .hasMessageContaining("by_colour");
    }
}
