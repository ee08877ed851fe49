package dev.tidemark.catalog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.SpelledValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TableDefinitionTest {
    private static final TableDefinition SINGLE = table(4, "id");
    private static final TableDefinition COMPOSITE = table(4, "genre", "film.title");

    @Test
    void findsTheSameKeyInARowAndInJson() throws Exception {
        assertThat(SINGLE.keyOf(RowJson.parseObject(utf8("{\"id\":1.0,\"x\":2}"))))
                .isEqualTo(key(SINGLE, "1"));
        assertThat(COMPOSITE.keyOf(RowJson.parseObject(utf8("{\"film\":{\"title\":\"x\"},\"genre\":\"y\"}"))))
                .isEqualTo(key(COMPOSITE, "[\"y\",\"x\"]"));
    }

    @Test
    void givesKeysBackAsJson() throws Exception {
        for (String json : List.of("1994", "\"m1\"", "true", "-0.5", "\"\"")) {
            assertThat(SINGLE.keyToJson(key(SINGLE, json))).hasToString(json);
        }
        assertThat(COMPOSITE.keyToJson(key(COMPOSITE, "[\"y\",2]"))).hasToString("[\"y\",2]");
        assertThatThrownBy(() -> SINGLE.keyToJson(key(COMPOSITE, "[1,2]"))).hasMessageContaining("found 2");
    }

    @Test
    void readsAKeyOfAnyNumberAgainInTheFormInWhichItIsGivenBack() throws Exception {
        int taken = 0;
        for (int digits = 38; digits <= RowJson.MAX_NUMBER_LENGTH; digits += digits < 380 ? 19 : 1) {
            for (int zeros = 0; zeros <= 3; zeros++) {
                String ones = "1".repeat(digits - zeros);
                String whole = ones + "0".repeat(zeros);
                for (String number : List.of(
                        whole,
                        whole + ".0",
                        whole + "e3",
                        ones + "e" + zeros,
                        ones + "e-7",
                        "1." + whole,
                        "0.000001" + whole,
                        "0.0000001" + whole)) {
                    taken += isReadAgain(number) && isReadAgain("-" + number) ? 1 : 0;
                }
            }
        }

        assertThat(taken).isGreaterThan(500);
    }

    /** Whether a number is taken as a key; fails where it is taken and cannot be read again as it is given back. */
    private static boolean isReadAgain(String number) throws Exception {
        JsonNode json;
        try {
            json = RowJson.parse(utf8(number));
        } catch (BadJsonException e) {
            return false;
        }
        KeyBytes key = SINGLE.keyFromJson(json);
        JsonNode given = SINGLE.keyToJson(key);
        assertThat(key(SINGLE, given.toString())).isEqualTo(key);
        assertThat(SINGLE.keyFromSpelled(List.of(SpelledValue.write(given)))).isEqualTo(key);
        return true;
    }

    @Test
    void refusesRowsWithoutAUsableKey() {
        for (String row :
                List.of("{}", "{\"id\":null}", "{\"id\":{}}", "{\"id\":[1]}", "{\"Id\":1}", "{\"id\":1e1000000}")) {
            assertThatThrownBy(() -> SINGLE.keyOf(RowJson.parseObject(utf8(row))))
                    .as(row)
                    .isInstanceOf(BadKeyException.class);
        }
        assertThatThrownBy(() -> SINGLE.keyOf(RowJson.parseObject(utf8("{}"))))
                .hasMessage("expected the primary key [id] of table t in the row, but id is absent or null");
    }

    @Test
    void refusesJsonThatIsNotAKeyOfTheTable() {
        for (String json : List.of("null", "[1]", "{}")) {
            assertThatThrownBy(() -> key(SINGLE, json)).as(json).isInstanceOf(BadKeyException.class);
        }
        for (String json : List.of("1", "[1]", "[1,2,3]", "[1,null]", "[1,[2]]")) {
            assertThatThrownBy(() -> key(COMPOSITE, json)).as(json).isInstanceOf(BadKeyException.class);
        }
    }

    @Test
    void saysHowManyValuesOfAKeyThereAre() {
        assertThatThrownBy(() -> key(COMPOSITE, "[1]"))
                .hasMessage("expected a list of 2 values " + COMPOSITE.primaryKey()
                        + " as key of table t, but got a list of 1 value");
        assertThatThrownBy(() -> COMPOSITE.keyFromSpelled(List.of("a,1")))
                .hasMessage("expected 2 values " + COMPOSITE.primaryKey() + ", separated by commas, as key of table t,"
                        + " but got 1 value; in a URL, a comma within a value is written %2C");
        assertThatThrownBy(() -> COMPOSITE.keyFromSpelled(List.of("a", "b", "c")))
                .hasMessageContaining("but got 3 values;");
    }

    @Test
    void readsAKeyFromThePartsOfAUrl() throws Exception {
        assertThat(COMPOSITE.keyFromSpelled(List.of("a,1", "7"))).isEqualTo(key(COMPOSITE, "[\"a,1\",7]"));
        assertThat(SINGLE.keyFromSpelled(List.of("a", "1"))).isEqualTo(key(SINGLE, "\"a,1\""));
    }

    @Test
    void refusesAKeyThatIsTooLong() throws Exception {
        String longest = "x".repeat(TableDefinition.MAX_KEY_BYTES - 2);

        assertThat(key(SINGLE, "\"" + longest + "\"").length()).isEqualTo(TableDefinition.MAX_KEY_BYTES);
        assertThatThrownBy(() -> key(SINGLE, "\"x" + longest + "\""))
                .isInstanceOf(BadKeyException.class)
                .hasMessageContaining("at most 1024 bytes for table t, but it would be 1025");
    }

    @Test
    void putsKeysIntoTheSamePartitionsAsEver() throws Exception {
        List<Integer> partitions = new ArrayList<>();
        for (String json : List.of("1", "2", "3", "18", "\"m1\"", "\"Redmond\"", "true", "-1.5")) {
            partitions.add(table(4, "id").partitionOf(key(SINGLE, json)));
            partitions.add(table(1_000, "id").partitionOf(key(SINGLE, json)));
        }

        // Frozen: rows are stored, and topics filled, by these numbers.
        assertThat(partitions).containsExactly(1, 569, 2, 930, 0, 132, 3, 123, 1, 953, 0, 172, 1, 557, 2, 90);
        // The check value of CRC-32C.
        assertThat(table(1_000, "id").partitionOf(KeyBytes.wrap(utf8("123456789"))))
                .isEqualTo((int) (0xE3069283L % 1_000));
    }

    @Test
    void spreadsKeysEvenly() throws Exception {
        TableDefinition table = table(8, "id");
        int[] rows = new int[8];
        for (int id = 0; id < 8_000; id++) {
            rows[table.partitionOf(key(table, Integer.toString(id)))]++;
        }

        for (int count : rows) {
            assertThat(count).isBetween(850, 1_150);
        }
    }

    @Test
    void refusesDefinitionsThatCannotBe() {
        assertThatThrownBy(() -> table(0, "id")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table(1_025, "id")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table(1)).isInstanceOf(IllegalArgumentException.class);
        IndexDefinition index =
                new IndexDefinition("t", "i", List.of(KeyPart.of("x")), new Projection.All(), RowFilter.NONE);
        assertThatThrownBy(() -> new TableDefinition("T", SINGLE.primaryKey(), 1, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TableDefinition("u", SINGLE.primaryKey(), 1, List.of(index)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TableDefinition("t", SINGLE.primaryKey(), 1, List.of(index, index)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static TableDefinition table(int partitions, String... primaryKey) {
        return new TableDefinition(
                "t", Stream.of(primaryKey).map(FieldPath::parse).toList(), partitions, List.of());
    }

    private static KeyBytes key(TableDefinition table, String json) throws Exception {
        JsonNode node = RowJson.parse(utf8(json));
        return table.keyFromJson(node);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
