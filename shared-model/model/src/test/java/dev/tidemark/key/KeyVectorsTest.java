package dev.tidemark.key;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

/** The encoding is on disk and in topics, so these bytes never change. */
class KeyVectorsTest {

    @ParameterizedTest
    @MethodSource("vectors")
    void encodesAndDecodesAsEver(String orders, String json, String hex) throws Exception {
        KeyWriter writer = new KeyWriter();
        List<FieldValue> values = values(json);
        for (int i = 0; i < values.size(); i++) {
            writer.append(values.get(i), order(orders, i));
        }
        KeyBytes key = writer.toKey();
        KeyReader reader = new KeyReader(key);

        assertThat(key).hasToString(hex.replace(" ", ""));
        for (int i = 0; i < values.size(); i++) {
            assertThat(reader.next(order(orders, i))).isEqualTo(values.get(i));
        }
        assertThat(reader.hasNext()).isFalse();
    }

    static Stream<Arguments> vectors() throws IOException {
        try (InputStream file = KeyVectorsTest.class.getResourceAsStream("key-vectors.tsv")) {
            List<String> lines = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
            return lines.stream().map(line -> Arguments.of((Object[]) line.split("\t", -1)));
        }
    }

    private static List<FieldValue> values(String json) throws BadInputException {
        List<FieldValue> values = new ArrayList<>();
        for (JsonNode node : RowJson.parse(json.getBytes(StandardCharsets.UTF_8))) {
            values.add(FieldValue.of(node).orElseThrow());
        }
        return values;
    }

    private static Order order(String orders, int part) {
        return orders.charAt(part) == '-' ? Order.DESC : Order.ASC;
    }
}
