package dev.tidemark.row;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
                .hasMessageStartingWith("expected JSON within the limits");
        assertThatThrownBy(() -> RowJson.parseObject(utf8(nested(RowJson.MAX_DEPTH + 1))))
                .isInstanceOf(BadJsonException.class);
    }

    @Test
    void readsTheDeepestRowInsideAnEnvelopeToo() throws Exception {
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
