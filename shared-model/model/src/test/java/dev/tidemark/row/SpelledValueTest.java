package dev.tidemark.row;

import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SpelledValueTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "Oslo",
                "true",
                " true ",
                "truer",
                "false",
                "null",
                "nullify",
                "7",
                "-7",
                "- 7",
                "7 up",
                "7e400",
                "10e2147483647",
                "0x7",
                "\t7\n",
                "\u20037",
                "+7",
                ".7",
                "NaN",
                "\"Oslo\"",
                "\"Oslo",
                "[7]",
                "{\"a\":7}",
                "'Oslo'",
                "/7",
                "Ål",
                "\uFEFF7"
            })
    void A_text_spells_what_the_whole_parser_would_read_and_else_itself(String text) {
        assertThat(SpelledValue.parse(text)).isEqualTo(byTheParserAlone(text));
    }

    @Test
    void What_is_written_spells_the_same_value_again() {
        for (String text : new String[] {
            "Oslo", "7", "true", "\"", "null", " 7", "-", "\"Oslo", " \"Oslo\"", "\uFEFF\"Oslo\"", "\"7\""
        }) {
            JsonNode value = TextNode.valueOf(text);
            assertThat(SpelledValue.parse(SpelledValue.write(value))).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', delimiter = '|', textBlock = """
            "Oslo"       | Oslo
            "7 up"       | 7 up
            "[7]"        | [7]
            "7"          | "7"
            "true"       | "true"
            "null"       | "null"
            " \\"Oslo\\"" | " \\"Oslo\\""
            7            | 7
            -7.50        | -7.50
            true         | true
            null         | null
            """)
    void Only_a_text_that_would_spell_something_else_is_quoted(String json, String written) throws Exception {
        assertThat(SpelledValue.write(RowJson.parse(json.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(written);
    }

    private static JsonNode byTheParserAlone(String text) {
        try {
            JsonNode node = RowJson.parse(text.getBytes(StandardCharsets.UTF_8));
            return node.isContainerNode() ? TextNode.valueOf(text) : node;
        } catch (BadJsonException e) {
            return TextNode.valueOf(text);
        }
    }
}
