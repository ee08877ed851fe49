package dev.tidemark.row;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RowJsonTest {

    @Test
    void keepsNumbersExact() throws Exception {
        ObjectNode row = RowJson.parseObject(utf8(
                "{\"a\":9007199254740993,\"b\":0.1000,\"c\":123456789012345678901234567890,\"d\":1e400,\"e\":-0.0}"));

        assertThat(row.get("a").longValue()).isEqualTo(9_007_199_254_740_993L);
        assertThat(row.get("b").decimalValue()).isEqualTo(new BigDecimal("0.1000"));
        assertThat(row.get("c").bigIntegerValue()).isEqualTo(new BigInteger("123456789012345678901234567890"));
        assertThat(row.get("d").decimalValue()).isEqualTo(new BigDecimal("1e400"));
        assertThat(new String(RowJson.write(row), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":9007199254740993,\"b\":0.1000,\"c\":123456789012345678901234567890,"
                        + "\"d\":1E+400,\"e\":0.0}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"a\":1",
                "{\"a\":1}}",
                "{\"a\":1} {}",
                "{\"a\":1}x",
                "{'a':1}",
                "{a:1}",
                "{\"a\":01}",
                "{\"a\":NaN}",
                "{\"a\":1,}",
                "{\"a\":\"\t\"}",
                "/* c */ {}",
                "{\"a\":1e99999999999}",
                "{\"a\":\"\\ud800\"}",
                "{\"a\":[{\"b\":\"x\\udc00\\ud800\"}]}",
                "{\"\\ud800\":1}",
                "[]",
                "1",
                "null"
            })
    void refusesWhatIsNotOneObject(String json) {
        assertThatThrownBy(() -> RowJson.parseObject(utf8(json)))
                .isInstanceOf(BadJsonException.class)
                .hasMessageStartingWith("expected ");
    }

    @Test
    void refusesARepeatedKeyAndNamesIt() {
        assertThatThrownBy(() -> RowJson.parseObject(utf8("{\"a\":{\"b\":1,\"b\":2}}")))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining("Duplicate field 'b'")
                .hasMessageContaining("at column 16");
    }

    @Test
    void refusesWhatIsTooDeep() {
        assertThatThrownBy(() -> RowJson.parseObject(utf8(nested(10_000))))
                .isInstanceOf(BadJsonException.class)
                .hasMessageStartingWith("expected JSON nested at most 64 levels deep, but got 65");
        assertThatThrownBy(() -> RowJson.parseObject(utf8(nested(RowJson.MAX_DEPTH + 1))))
                .isInstanceOf(BadJsonException.class);
    }

    @Test
    void readsTheDeepestEmbeddedRowReaderAnEnvelopeToo() throws Exception {
        String deepest = nested(RowJson.MAX_DEPTH);

        assertThat(RowJson.parseObject(utf8(deepest)).size()).isOne();
        assertThat(RowJson.parseEnvelope(utf8("{\"rows\":[{\"row\":" + deepest + "}]}"))
                        .size())
                .isOne();
    }

    @Test
    void refusesNumbersAndNamesThatAreTooLong() {
        String digits = "1".repeat(RowJson.MAX_NUMBER_LENGTH + 1);

        assertThatThrownBy(() -> RowJson.parseObject(utf8("{\"a\":" + digits + "}")))
                .isInstanceOf(BadJsonException.class);
        assertThatThrownBy(() -> RowJson.parseObject(utf8("{\"" + "n".repeat(100_000) + "\":1}")))
                .isInstanceOf(BadJsonException.class);
    }

    @Test
    void namesTheLimitThatIsExceeded() {
        assertThat(limit(nested(RowJson.MAX_DEPTH + 1))).contains(ProblemType.JSON_TOO_DEEP);
        assertThat(limit("{\"a\":" + "1".repeat(RowJson.MAX_NUMBER_LENGTH + 1) + "}"))
                .contains(ProblemType.NUMBER_TOO_LONG);
        assertThat(limit("{\"a\":1e99999999999}")).contains(ProblemType.NUMBER_TOO_LONG);
        assertThat(limit("{\"" + "n".repeat(100_000) + "\":1}")).contains(ProblemType.NAME_TOO_LONG);
        assertThat(limit("{\"a\":[" + "1,".repeat(RowJson.MAX_TOKENS) + "1]}")).contains(ProblemType.JSON_TOO_LARGE);
        assertThat(limit("{\"a\":1")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":1} {}       | expected one JSON value, but more follows it at column 9
            {"a":NaN}        | expected JSON, but NaN is no value of JSON at column 9
            {"a":-Infinity}  | expected JSON, but -Infinity is no value of JSON at column 15
            {"a":1           | expected JSON, but it ends too soon at column 7
            {"a":"x          | expected JSON, but it ends too soon at column 8
            {]               | expected JSON, but Unexpected close marker ']': expected '}' at column 2
            /* c */ {}       | expected JSON, but Unexpected character ('/' (code 47)) at column 1
            {"a":1e999999999999} | expected a number with an exponent below 2^31, but got a larger one
            """)
    void saysWhatIsWrongInWordsForTheSender(String json, String message) {
        assertThatThrownBy(() -> RowJson.parseObject(utf8(json))).hasMessage(message);
    }

    @Test
    void saysWhichLimitIsExceededInWordsForTheSender() {
        String digits = "1".repeat(RowJson.MAX_NUMBER_LENGTH + 1);
        String name = "{\"" + "n".repeat(2_000) + "\":1}";
        String many = "[" + "1,".repeat(RowJson.MAX_TOKENS) + "1]";

        assertThatThrownBy(() -> RowJson.parse(utf8(digits)))
                .hasMessageStartingWith("expected a number of at most 400 digits, but got 401");
        assertThatThrownBy(() -> RowJson.parse(utf8(name)))
                .hasMessageStartingWith("expected a member name of at most 1024 characters, but got 2000");
        assertThatThrownBy(() -> RowJson.parse(utf8(many)))
                .hasMessageStartingWith("expected JSON of at most 250000 values, names and brackets, but got 250001");
        assertThatThrownBy(() -> RowJson.parse(utf8("\"" + "x".repeat(17 << 20) + "\"")))
                .hasMessageStartingWith("expected JSON of at most 16777216 characters in a string, but got ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":+1}",
                "{\"a\":.5}",
                "{\"a\":\"\\q\"}",
                "# c",
                "[1,",
                "{\"a\":1}}",
                "[}",
                "{\"a\":tru}",
                "[1 2]",
                "1 2"
            })
    void namesNothingOfTheParser(String json) {
        assertThatThrownBy(() -> RowJson.parse(utf8(json)))
                .message()
                .doesNotContain("`", "Feature", "ALLOW_", "fasterxml", "REDACTED", "Stream");
    }

    /** Which limit JSON that is refused goes beyond. */
    private static Optional<ProblemType> limit(String json) {
        try {
            RowJson.parseObject(utf8(json));
        } catch (BadJsonException e) {
            return e.limit();
        }
        throw new AssertionError("Expected JSON that is refused");
    }

    @ParameterizedTest
    @ValueSource(ints = {379, 380, 381, 388, 389, 390, 395, 396, 397, 398, 399, 400, 401})
    void aNumberThatIsTakenCanBeReadInTheFormInWhichItIsWritten(int digits) throws Exception {
        int taken = 0;
        for (String exponent : List.of(
                "", "e9", "e10", "e-6", "e-7", "e-402", "e99999", "e2147483637", "e2147483647", "e-2147483647")) {
            for (int point : new int[] {0, 1, 2, 7, digits - 1}) {
                String number = number("1".repeat(digits), point) + exponent;
                for (String sign : List.of("", "-")) {
                    taken += reads(sign + number) ? 1 : 0;
                }
            }
        }

        assertThat(taken).isGreaterThan(digits < 400 ? 20 : -1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0e2147483647", "10e2147483647", "123456e2147483645", "0.00001e-2147483647"})
    void refusesANumberWhoseExponentIsTooLargeWhenItIsWritten(String number) {
        assertThat(reads(number)).isEqualTo(number.equals("1.0e2147483647"));
    }

    @Test
    void saysWhyANumberIsRefusedThatBecomesTooLong() {
        assertThatThrownBy(() -> RowJson.parseObject(utf8("{\"a\":" + "1".repeat(399) + "E9}")))
                .isInstanceOf(BadJsonException.class)
                .hasMessage("expected a number that can be written with at most 400 digits, those of an exponent below"
                        + " 2^31 included, but got 1." + "1".repeat(58) + "…");
    }

    @Test
    void refusesARowOfMoreValuesThanATreeHasRoomFor() throws Exception {
        String full = "{\"a\":[" + "{},".repeat(RowJson.MAX_TOKENS / 2 - 4) + "{}]}";

        assertThat(RowJson.parseObject(utf8(full)).get("a")).hasSize(RowJson.MAX_TOKENS / 2 - 3);
        assertThat(RowJson.tokens(RowJson.parseObject(utf8(full)))).isEqualTo(RowJson.MAX_TOKENS - 1);
        assertThatThrownBy(() -> RowJson.parseObject(utf8(full.replace("[", "[{},"))))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining("250001");
        assertThat(RowJson.parseEnvelope(utf8(full.replace("[", "[{},"))).get("a"))
                .hasSize(RowJson.MAX_TOKENS / 2 - 2);
    }

    @Test
    void countsValuesNamesAndBracketsAsTheParserDoes() throws Exception {
        byte[] json = utf8("{\"a\":[1,\"x\",null,{\"b\":{\"c\":true}}],\"d\":[],\"e\":-1.50}");
        int tokens = 0;
        try (JsonParser parser = RowJson.strict(json)) {
            while (parser.nextToken() != null) {
                tokens++;
            }
        }

        assertThat(RowJson.tokens(RowJson.parseObject(json))).isEqualTo(tokens);
    }

    private static String number(String digits, int point) {
        return point == 0 ? digits : digits.substring(0, point) + "." + digits.substring(point);
    }

    /** Whether a number is taken; fails where it is taken and cannot be read back. */
    private static boolean reads(String number) {
        JsonNode node;
        try {
            node = RowJson.parseObject(utf8("{\"a\":" + number + "}")).get("a");
        } catch (BadJsonException e) {
            assertThat(e.limit()).contains(ProblemType.NUMBER_TOO_LONG);
            return false;
        }
        byte[] written = RowJson.write(node);
        try {
            assertThat(RowJson.parse(written).decimalValue()).isEqualByComparingTo(node.decimalValue());
        } catch (BadJsonException e) {
            throw new AssertionError("taken, and written as " + new String(written, StandardCharsets.UTF_8), e);
        }
        return true;
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        byte[][] bad = {
            {'{', '"', 'a', '"', ':', '"', (byte) 0xFF, '"', '}'},
            {'{', '"', 'a', '"', ':', '"', (byte) 0xC0, (byte) 0x80, '"', '}'},
            {'{', '"', 'a', '"', ':', '"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"', '}'},
            {0, 0, 0, '{', 0, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF},
            "{\"a\":1}".getBytes(StandardCharsets.UTF_16LE),
            "{\"a\":1}".getBytes(Charset.forName("UTF-32BE")),
        };
        for (byte[] bytes : bad) {
            assertThatThrownBy(() -> RowJson.parseObject(bytes))
                    .as(new String(bytes, StandardCharsets.ISO_8859_1))
                    .isInstanceOf(BadJsonException.class);
        }
    }

    @Test
    void refusesUnpairedSurrogatesInNamesAndTexts() {
        for (String json : new String[] {"{\"\\ud800\":1}", "{\"a\":[\"\\ud800\"]}", "{\"a\":{\"\\udc00b\":1}}"}) {
            assertThatThrownBy(() -> RowJson.parseObject(utf8(json)))
                    .as(json)
                    .isInstanceOf(BadJsonException.class)
                    .hasMessageContaining("surrogate");
        }
    }

    @Test
    void acceptsAByteOrderMark() throws Exception {
        assertThat(RowJson.parseObject(utf8("\uFEFF{\"a\":1}")).get("a").intValue())
                .isOne();
    }

    @Test
    void writesEverythingThatItReads() throws Exception {
        byte[] json = utf8("{\"s\":\"\\u0000é😀\\\"\",\"n\":null,\"l\":[true,false,{}],\"\":1.0}");
        JsonNode row = RowJson.parse(json);

        assertThat(RowJson.parse(RowJson.write(row))).isEqualTo(row);
    }

    @Test
    void describesLongValuesShortly() throws Exception {
        JsonNode text = RowJson.parse(utf8("\"" + "x".repeat(10_000) + "\""));

        assertThat(RowJson.describe(text)).startsWith("the string \"xxx").hasSizeLessThan(100);
    }

    private static String nested(int depth) {
        return "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
