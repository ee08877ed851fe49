package dev.tidemark.row;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RowFieldsTest {
    private static final RowFields TOWN = new RowFields(List.of("town"));
    private static final RowFields SIZE = new RowFields(List.of("size"));
    private static final String ROW = "{\"town\":\"a\",\"size\":4,\"more\":[1]}";

    @Test
    void readsWhatIsWantedWhereOtherFieldsWereRead() throws Exception {
        RowDocument row = read(TOWN);

        assertThat(row.fieldsReadBy(SIZE)).isNull();
        assertThat(SIZE.of(row).fields()).isEqualTo(json("{\"size\":4}"));
        assertThat(TOWN.and(SIZE).of(row).fields()).isEqualTo(json("{\"town\":\"a\",\"size\":4}"));
    }

    @Test
    void takesWhatWasReadWithOthers() throws Exception {
        RowDocument row = read(TOWN.and(SIZE));

        assertThat(TOWN.of(row).fields()).isSameAs(row.fieldsReadBy(SIZE)).isNotNull();
        assertThat(TOWN.of(row).fields().get("town").textValue()).isEqualTo("a");
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

    /** A row of which some fields were read on the way. */
    private static RowDocument read(RowFields fields) {
        byte[] row = ROW.getBytes(StandardCharsets.UTF_8);
        return RowDocument.read(row, fields, fields.of(row).fields());
    }

    private static JsonNode json(String json) throws BadJsonException {
        return RowJson.parse(json.getBytes(StandardCharsets.UTF_8));
    }
}
