package dev.tidemark.worker.apply;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class RowDeriverTest {
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\",\"Hurt\"]}";
    private static final KeyBytes KEY = new ChangeLog(Tables.films()).key("1");

    private final List<Generation> films = Tables.generations(Tables.films());
    private final RowDeriver deriver = new RowDeriver(films);

    @Test
    void givesWholeKeysAndTheSameWithoutThePrimaryKey() {
        SortedMap<Long, DerivedRow> derived = derive(ALIEN);

        assertThat(derived).containsOnlyKeys(1L, 2L, 3L);
        assertThat(derived.values())
                .allSatisfy(row -> assertThat(row.keys())
                        .isEqualTo(row.entries().keys().stream()
                                .map(key -> key.concat(KEY))
                                .toList()));
        assertThat(of(1, ALIEN).keys()).hasSize(2);
        assertThat(of(1, ALIEN).carried()).as("the title").isNotEqualTo(KeyBytes.EMPTY);
        assertThat(of(2, ALIEN).carried()).as("a reference").isEqualTo(KeyBytes.EMPTY);
    }

    @Test
    void aRowThatAnIndexCannotHoldGivesTheReasonAndNoKeys() {
        DerivedRow refused = of(1, "{\"id\":1,\"cast\":7}");

        assertThat(refused.keys()).isEmpty();
        assertThat(refused.bytes()).isZero();
        assertThat(refused.entries().refusal())
                .hasValueSatisfying(why -> assertThat(why).contains("expected an array"));
    }

    @Test
    void aRowTakesMoreRoomForLongerKeysAndForMoreOfThem() {
        long bytes = of(1, ALIEN).bytes();

        assertThat(of(1, ALIEN.replace("Hurt", "Hurt, John")).bytes())
                .as("a key is held twice")
                .isEqualTo(bytes + 2 * 6);
        assertThat(of(1, ALIEN.replace("\"Hurt\"", "\"Hurt\",\"\"")).bytes()).isGreaterThan(bytes + 64);
    }

    @Test
    void aRowTakesMoreRoomForWhatEachOfItsEntriesCarries() {
        assertThat(of(1, ALIEN.replace("Alien", "Alien: 1979")).bytes())
                .as("both entries carry the title")
                .isEqualTo(of(1, ALIEN).bytes() + 2 * 6);
    }

    @Test
    void aRowMayGiveManyEntriesWhereAKeyHasAPartForEachElement() {
        assertThat(deriver.mayGiveMany()).isTrue();
        assertThat(new RowDeriver(films.subList(1, 3)).mayGiveMany()).isFalse();
    }

    private DerivedRow of(long generation, String row) {
        return Objects.requireNonNull(derive(row).get(generation));
    }

    private SortedMap<Long, DerivedRow> derive(String row) {
        return deriver.derive(KEY, ChangeLog.document(row));
    }
}
