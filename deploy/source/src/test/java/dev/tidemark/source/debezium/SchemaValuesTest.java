package dev.tidemark.source.debezium;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.jdbc.PgArray;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.value.ColumnType;

import static org.assertj.core.api.Assertions.assertThat;

class SchemaValuesTest {
    private static JsonNode read(String document) {
        return read(RawValues.of(ColumnType.JSON), document);
    }

    private static JsonNode read(RawValues values, Object raw) {
        return SchemaValues.of(SchemaBuilder.string().name(SchemaValues.JSON).build(), values.json(raw));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[11e2147483647]",
                "[1e99999999999]",
                "\"\\ud800\"",
                "{\"\\udc00\":1}",
                "{a",
                "",
            })
    void aDocumentThatNoRowCanHoldRemainsText(String document) throws Exception {
        JsonNode read = read(document);
        assertThat(read).isEqualTo(TextNode.valueOf(document));
        assertThat(RowJson.parse(RowJson.write(read))).isEqualTo(read);
    }

    @ParameterizedTest
    @CsvSource({"1,500,''", "[,64,]"})
    void aDocumentBeyondTheLimitsOfARowRemainsText(String begin, int times, String end) {
        String document = begin.repeat(times) + end.repeat(times);
        assertThat(read(document)).isEqualTo(TextNode.valueOf(document));
    }

    @Test
    void anHstoreThatNoRowCanHoldIsTheTextOfItsObject() {
        String key = "k".repeat(2_000);
        RawValues values = RawValues.of(ColumnType.HSTORE);
        TextNode text = TextNode.valueOf("{\"" + key + "\":\"v\"}");
        assertThat(read(values, "\"" + key + "\"=>\"v\"")).isEqualTo(text);
        assertThat(read(values, Map.of(key, "v"))).isEqualTo(text);
        assertThat(read(values, Map.of("k", "v"))).hasToString("{\"k\":\"v\"}");
    }

    @Test
    void anArrayOfDocumentsThatNoRowCanHoldIsItsText() throws Exception {
        RawValues values = RawValues.ofArray(ColumnType.JSON);
        for (int depth = 62; depth <= 63; depth++) {
            String document = "[".repeat(depth) + "]".repeat(depth);
            JsonNode read = read(values, new PgArray(null, 0, "{" + document + "}"));
            assertThat(read.isTextual()).isEqualTo(depth > 62);
            assertThat(read.isTextual() ? read.textValue() : read.toString()).isEqualTo("[" + document + "]");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"a\": 1.10, \"b\": \"\\u00e9\"};{\"a\":1.10,\"b\":\"é\"}",
                "{\"a\":1,\"a\":[2]};{\"a\":[2]}",
                "null;null"
            })
    void aDocumentIsItsJsonWithTheLastOfARepeatedName(String document, String json) {
        assertThat(read(document)).hasToString(json);
    }
}
