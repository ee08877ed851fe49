package dev.tidemark.index;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.tidemark.index.Rows.derive;
import static dev.tidemark.index.Rows.descending;
import static dev.tidemark.index.Rows.each;
import static dev.tidemark.index.Rows.index;
import static dev.tidemark.index.Rows.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EntryDeriverTest {
    private static final IndexDefinition GENRE_YEAR = index(each("genres"), descending("year"), KeyPart.of("title"));

    @Test
    void givesOneEntryOfAllPartsAndThePrimaryKey() throws Exception {
        assertThat(keys(index(KeyPart.of("home.town"), descending("age")), "{'home':{'town':'Rome'},'age':30}"))
                .containsExactly("Rome,30,7");
    }

    @Test
    void givesOneEntryForEachDistinctElementInOrder() throws Exception {
        assertThat(keys(GENRE_YEAR, "{'genres':['War','Drama','War',null],'year':1994,'title':'x'}"))
                .containsExactly("Drama,1994,x,7", "War,1994,x,7");
        assertThat(keys(index(each("n")), "{'n':[10,1,1.0,1e0,true,'1']}"))
                .containsExactly("true,7", "1,7", "10,7", "1,7");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', delimiter = '|', textBlock = """
            {}                                            | 0
            {'genres':['a'],'year':1}                     | 2
            {'genres':['a'],'title':'x','year':null}      | 1
            {'genres':null,'title':'x','year':1}          | 0
            {'genres':[],'title':'x','year':1}            | 0
            {'genres':[null,null],'title':'x','year':1}   | 0
            {'genres':'no array','title':'x'}             | 1
            {'genres':[],'title':{},'year':[]}            | 0
            """)
    void givesNoEntryWhereAPartHasNoValueAndSaysWhich(String row, int part) throws Exception {
        assertThat(derive(GENRE_YEAR, row)).isEqualTo(DerivedEntries.none(new Absence.NoValue(part)));
    }

    @Test
    void givesEitherEntriesOrAReason() throws Exception {
        assertThat(derive(index(KeyPart.of("k")), "{'k':1}").absence()).isEmpty();
        assertThatThrownBy(() -> new DerivedEntries(List.of(), null, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhatHasNoPlaceInAKey() {
        assertRefused(
                index(KeyPart.of("k")),
                "{'k':{}}",
                "index i of table t cannot hold this row: field k: expected true, false, a number or a string, but got"
                        + " an object");
        assertRefused(index(KeyPart.of("k")), "{'k':[1]}", "field k: expected true, false, a number or a string");
        assertRefused(index(each("k")), "{'k':'x'}", "field k: expected an array, but got the string \"x\"");
        assertRefused(index(each("k")), "{'k':[1,[2]]}", "field k: expected true, false, a number or a string");
        assertRefused(index(KeyPart.of("k")), "{'k':1e1000000}", "field k: expected zero or a number from");
    }

    @Test
    void refusesAKeyThatIsTooLong() throws Exception {
        int overhead = derive(index(KeyPart.of("k")), "{'k':''}").keys().get(0).length();
        String longest = "x".repeat(EntryDeriver.MAX_KEY_BYTES - overhead);

        assertThat(keys(index(KeyPart.of("k")), "{'k':'" + longest + "'}")).hasSize(1);
        assertRefused(
                index(KeyPart.of("k")),
                "{'k':'x" + longest + "'}",
                "expected a key of at most 4096 bytes, but it would be 4097");
    }

    @Test
    void refusesTooManyElements() throws Exception {
        assertThat(keys(index(each("k")), "{'k':" + numbers(EntryDeriver.MAX_ENTRIES) + "}"))
                .hasSize(EntryDeriver.MAX_ENTRIES);
        assertRefused(
                index(each("k")),
                "{'k':" + numbers(EntryDeriver.MAX_ENTRIES + 1) + "}",
                "field k: expected at most 1000 elements, but got 1001");
    }

    @Test
    void refusesEntriesThatTogetherCarryTooMuch() throws Exception {
        IndexDefinition all =
                new IndexDefinition("t", "i", index(each("k")).key(), new Projection.All(), RowFilter.NONE);
        String large = ",'x':'" + "x".repeat(1024 * 1024) + "'}";

        assertThat(derive(all, "{'k':" + numbers(16) + large).keys()).hasSize(16);
        assertRefused(all, "{'k':" + numbers(17) + large, "expected its entries to carry at most 16777216 bytes");
        assertThat(derive(index(each("k")), "{'k':" + numbers(1_000) + large).keys())
                .hasSize(1_000);
    }

    @Test
    void takesEntriesThatTogetherCarryExactlyAsMuchAsTheyMay() throws Exception {
        IndexDefinition all =
                new IndexDefinition("t", "i", index(each("k")).key(), new Projection.All(), RowFilter.NONE);
        int entries = 32;
        String begin = "{'k':" + numbers(entries) + ",'x':'";
        String most = "x".repeat((int) EntryDeriver.MAX_CARRIED_BYTES / entries - begin.length() - 2);

        assertThat(derive(all, begin + most + "'}").keys()).hasSize(entries);
        assertRefused(all, begin + most + "x'}", "32 entries would carry 16777248");
    }

    @Test
    void keepsNoEntryOfARowThatHasMany() throws Exception {
        EntryDeriver deriver = new EntryDeriver(index(each("k")));

        assertThat(deriver.deriveFew(Rows.PRIMARY_KEY, Rows.row("{'k':" + numbers(16) + "}")))
                .hasValueSatisfying(few -> assertThat(few.keys()).hasSize(16));
        assertThat(deriver.deriveFew(Rows.PRIMARY_KEY, Rows.row("{'k':" + numbers(17) + "}")))
                .isEmpty();
        assertThat(deriver.deriveFew(Rows.PRIMARY_KEY, Rows.row("{'k':[]}")))
                .hasValueSatisfying(none -> assertThat(none.absence()).isPresent());
    }

    private static void assertRefused(IndexDefinition index, String row, String reason) {
        assertThatThrownBy(() -> new EntryDeriver(index).derive(Rows.PRIMARY_KEY, Rows.row(row)))
                .isInstanceOfSatisfying(
                        UnindexableRowException.class,
                        e -> assertThat(e.index()).isEqualTo("i"))
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> new EntryDeriver(index).deriveFew(Rows.PRIMARY_KEY, Rows.row(row)))
                .isInstanceOf(UnindexableRowException.class)
                .hasMessageContaining(reason);
    }

    private static String numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(",", "[", "]"));
    }
}
