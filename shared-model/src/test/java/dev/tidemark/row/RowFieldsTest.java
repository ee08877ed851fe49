package dev.tidemark.row;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RowFieldsTest {
    private static final RowFields TOWN = new RowFields(List.of("town"));
    private static final RowFields SIZE = new RowFields(List.of("size"));
    private static final String ROW = "{\"town\":\"a\",\"size\":4,\"more\":[1]}";

    @Test
    void keepsTheWantedFieldsOfASmallRow() throws Exception {
        RowDocument kept = TOWN.keptOf(row(ROW));

        assertThat(kept.bytes()).asString().isEqualTo(ROW);
        assertThat(kept.fieldsReadBy(TOWN)).isEqualTo(json("{\"town\":\"a\"}"));
        assertThat(TOWN.of(kept).fields()).isSameAs(kept.fieldsReadBy(TOWN));
    }

    @Test
    void keepsNothingOfARowThatIsTooLarge() throws Exception {
        String begin = "{\"town\":\"a\",\"x\":\"";
        String end = "\"}";
        String most = "x".repeat(RowFields.MOST_KEPT_BYTES - begin.length() - end.length());
        RowDocument large = row(begin + most + "x" + end);

        assertThat(TOWN.keptOf(row(begin + most + end)).fieldsReadBy(TOWN)).isNotNull();
        assertThat(TOWN.keptOf(large).fieldsReadBy(TOWN)).isNull();
        assertThat(TOWN.keptOf(large).bytes()).isEqualTo(large.bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[1]", "{}", "{\"size\":4}"})
    void keepsNothingWhereAWantedFieldIsAnObjectOrArray(String town) throws Exception {
        RowDocument row = row("{\"size\":4,\"town\":" + town + "}");

        assertThat(TOWN.and(SIZE).keptOf(row).fieldsReadBy(SIZE)).isNull();
        assertThat(TOWN.and(SIZE).keptOf(row).bytes()).isEqualTo(row.bytes());
        assertThat(SIZE.keptOf(row).fieldsReadBy(SIZE))
                .as("what is not wanted does not matter")
                .isEqualTo(json("{\"size\":4}"));
    }

    @Test
    void readsWhatIsWantedWhereOtherFieldsWereKept() throws Exception {
        RowDocument kept = TOWN.keptOf(row(ROW));

        assertThat(kept.fieldsReadBy(SIZE)).isNull();
        assertThat(SIZE.of(kept).fields()).isEqualTo(json("{\"size\":4}"));
        assertThat(TOWN.and(SIZE).of(kept).fields()).isEqualTo(json("{\"town\":\"a\",\"size\":4}"));
    }

    @Test
    void takesWhatWasKeptWithOthers() throws Exception {
        RowDocument kept = TOWN.and(SIZE).keptOf(row(ROW));

        assertThat(TOWN.of(kept).fields()).isSameAs(kept.fieldsReadBy(SIZE)).isNotNull();
        assertThat(TOWN.of(kept).fields().get("town").textValue()).isEqualTo("a");
    }

    @Test
    void areEqualWhenTheirNamesAre() {
        assertThat(TOWN)
                .isEqualTo(new RowFields(List.of("town")))
                .hasSameHashCodeAs(new RowFields(List.of("town")))
                .isNotEqualTo(SIZE)
                .isNotEqualTo(TOWN.and(SIZE))
                .isNotEqualTo("town");
    }

    private static RowDocument row(String json) throws BadJsonException {
        return RowDocument.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode json(String json) throws BadJsonException {
        return RowJson.parse(json.getBytes(StandardCharsets.UTF_8));
    }
}
