package dev.tidemark.worker.query;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class IndexNamesTest {
    private final IndexNames names = new IndexNames(Tables.inForce(Tables.catalog()));

    @Test
    void findsAnIndexByItsBareNameWhereThatIsEnough() throws Exception {
        assertThat(names.find("by_town").definition().qualifiedName()).isEqualTo("people.by_town");
        assertThat(names.find("people.by_town").generation().id()).isEqualTo(4);
        assertThat(names.find("films.whole").generation().id()).isEqualTo(3);
    }

    @Test
    void asksBackWhereSeveralTablesHaveThatName() {
        assertThatThrownBy(() -> names.find("whole"))
                .isInstanceOf(BadQueryException.class)
                .hasMessageContaining("write films.whole or people.whole");
    }

    @Test
    void listsTheIndexesWhereNoneHasThatName() {
        assertThatThrownBy(() -> names.find("by_colour"))
                .isInstanceOf(UnknownIndexException.class)
                .hasMessageContaining("by_actor, by_year, films.whole, by_town, people.whole")
                .hasMessageContaining("by_colour");
    }
}
