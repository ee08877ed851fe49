package dev.tidemark.row;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TreeWeightTest {
    private static final long EMPTY = 160;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}                        | 0",
                "{\"a\":null}              | 114",
                "{\"name\":true}           | 120",
                "{\"a\":\"xyz\"}           | 184",
                "{\"a\":7}                 | 146",
                "{\"a\":7.5}               | 179",
                "{\"a\":99999999999999999999} | 186",
                "{\"a\":[]}                | 194",
                "{\"a\":[null,null]}       | 210",
                "{\"a\":[[],7]}            | 322",
                "{\"a\":{\"b\":{}},\"c\":7} | 694",
            })
    void addsUpAllThatIsInAValue(String json, long more) throws Exception {
        assertThat(TreeWeight.of(RowJson.parseObject(json.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(EMPTY + more);
    }
}
