package dev.tidemark.row;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TreeSizeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "7               | 1 | 0",
                "[]              | 1 | 1",
                "{\"a\":[1,2]}   | 3 | 2",
                "[1,[2,[3,{}]]]  | 4 | 4",
                "\",:[{\"        | 1 | 0",
                "\"\\\",[\"      | 1 | 0",
                "[\"\\\\\",\"\"] | 2 | 1",
            })
    void countsValuesAndWhatHoldsThemButNotTheCharactersOfTexts(String json, int values, int containers) {
        assertThat(mostBytes(json)).isEqualTo(values * 100L + containers * 200L + json.length() * 3L);
    }

    @Test
    void isNeverLessThanTheWeightOfTheTree() throws Exception {
        for (String json : new String[] {
            "{\"a\":{\"b\":[{},{},[1,2,3]]},\"c\":\"text\"}",
            "{\"n\":" + "9".repeat(300) + "}",
            "{\"many\":[" + "{},".repeat(1_000) + "1]}",
            "{\"long\":\"" + "x".repeat(10_000) + "\"}",
            "{" + members("\"x\"") + "}",
            "{" + members("1.5") + "}",
            "{\"decimals\":[" + "1.5,".repeat(100_000) + "1.5]}",
            "{\"digits\":[" + ("1" + "0".repeat(398) + "1,").repeat(1_000) + "0.1]}"
        }) {
            assertThat(mostBytes(json)).isGreaterThanOrEqualTo(TreeWeight.of(RowJson.parseObject(utf8(json))));
        }
    }

    private static String members(String value) {
        return IntStream.range(0, 80_000)
                .mapToObj(i -> "\"" + i + "\":" + value)
                .collect(Collectors.joining(","));
    }

    private static long mostBytes(String json) {
        return TreeSize.mostBytes(utf8(json));
    }

    private static byte[] utf8(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
