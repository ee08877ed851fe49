package dev.tidemark.row;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class JsonBytesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "a \"b\" \\ c",
                "line\nfeed\tand\u0001",
                "Amélie 東京 \uD83D\uDE00",
                "\u007f/~",
                "\"",
                "\"\"",
                "\\",
                "\n\t",
                "\u0000",
                "東京",
                "\u007f",
                " ",
                "~"
            })
    void writesTextsAsATreeDoes(String text) {
        assertThat(new JsonBytes().text(text).toBytes()).isEqualTo(RowJson.write(TextNode.valueOf(text)));
        FieldValue value = new FieldValue.Text(text);
        assertThat(new JsonBytes().value(value).toBytes()).isEqualTo(RowJson.write(value.toJson()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "7",
                "-12",
                "1.50",
                "1e3",
                "1e39",
                "1e40",
                "1e50",
                "-1e-400",
                "123456789012345678901234567890"
            })
    void writesNumbersAsATreeDoes(String number) {
        FieldValue value = new FieldValue.Num(new BigDecimal(number));

        assertThat(new JsonBytes().value(value).toBytes()).isEqualTo(RowJson.write(value.toJson()));
    }

    @Test
    void writesVersionsAsTheirText() {
        for (RowVersion version : List.of(
                RowVersion.NONE,
                new RowVersion(1, 1),
                new RowVersion(1_234, 987_654_321_098_765L),
                new RowVersion(RowVersion.MAX_EPOCH, 999_999_999_999_999L))) {
            assertThat(new JsonBytes(3).raw("[").version(version).raw("]").toBytes())
                    .isEqualTo(("[\"" + version + "\"]").getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void putsPiecesTogetherHoweverManyThereAre() {
        ObjectNode tree = RowJson.mapper().createObjectNode();
        JsonBytes json = new JsonBytes().raw("{");
        for (int i = 0; i < 5_000; i++) {
            tree.put("n" + i, i);
            json.raw(i == 0 ? "" : ",").text("n" + i).raw(":").number(i);
        }
        tree.put("yes", true).set("row", TextNode.valueOf("r"));
        json.raw(",").text("yes").raw(":").value(new FieldValue.Bool(true));
        json.raw(",\"row\":").raw("\"r\"".getBytes(StandardCharsets.US_ASCII)).raw("}");

        assertThat(json.toBytes()).isEqualTo(RowJson.write(tree));
        assertThat(new JsonBytes().node(tree).toBytes()).isEqualTo(RowJson.write(tree));
        assertThat(new JsonBytes().number(-7).toBuffer()).isEqualTo(ByteBuffer.wrap(new byte[] {'-', '7'}));
        assertThat(new JsonBytes().toBytes()).isEmpty();
    }
}
