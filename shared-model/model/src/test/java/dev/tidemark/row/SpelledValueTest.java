package dev.tidemark.row;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
                "-",
                "1e",
                "01",
                "[1e9999999999]",
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
    void A_text_spells_what_the_whole_parser_would_read_and_else_itself(String text) throws BadJsonException {
        assertThat(SpelledValue.parse(text)).isEqualTo(byTheParserAlone(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10e2147483647",
                "1e2147483648",
                "-1e9999999999",
                "0.1E-9999999999",
                " 1e9999999999\t",
                "\uFEFF1e9999999999"
            })
    void A_number_beyond_what_is_read_is_no_text(String text) {
        assertThatThrownBy(() -> SpelledValue.parse(text))
                .isInstanceOfSatisfying(
                        BadJsonException.class,
                        refused -> assertThat(refused.limit()).contains(ProblemType.NUMBER_TOO_LONG))
                .hasMessage("expected zero or a number from 1e-1000000 to below 1e1000000, with at most 400 digits,"
                        + " but got " + text + "; to mean the string, put it in double quotes");
    }

    @Test
    void A_number_of_one_digit_too_many_is_no_text() throws Exception {
        String digits = "9".repeat(RowJson.MAX_NUMBER_LENGTH);
        assertThat(SpelledValue.parse(digits).isNumber()).isTrue();
        for (String longer : List.of(digits + "9", "-" + digits + "9", "0." + digits, digits + ".5")) {
            assertThatThrownBy(() -> SpelledValue.parse(longer)).hasMessageContaining("at most 400 digits");
        }
        assertThat(SpelledValue.parse(digits + "9 lives").isTextual()).isTrue();
        assertThat(SpelledValue.parse('"' + digits + "9\"").textValue()).isEqualTo(digits + "9");
    }

    @Test
    void What_is_written_spells_the_same_value_again() throws BadJsonException {
        for (String text : new String[] {
            "Oslo",
            "7",
            "true",
            "\"",
            "null",
            " 7",
            "-",
            "\"Oslo",
            " \"Oslo\"",
            "\uFEFF\"Oslo\"",
            "\"7\"",
            "1e9999999999"
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
