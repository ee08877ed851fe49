package dev.tidemark.row;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FieldPathTest {

    @Test
    void findsFieldsOfInnerObjects() throws Exception {
        JsonNode row = RowJson.parse(
                "{\"a\":{\"b\":{\"c\":1}},\"l\":[{\"b\":2}],\"n\":null}".getBytes(StandardCharsets.UTF_8));

        assertThat(FieldPath.parse("a.b.c").in(row)).hasToString("1");
        assertThat(FieldPath.parse("n").in(row).isNull()).isTrue();
        for (String absent : List.of("x", "a.x", "a.b.c.d", "l.b", "l.0", "n.b")) {
            assertThat(FieldPath.parse(absent).in(row).isMissingNode())
                    .as(absent)
                    .isTrue();
        }
    }

    @Test
    void refusesEmptyNames() {
        for (String text : List.of("", ".", "a.", ".a", "a..b", " ")) {
            assertThatThrownBy(() -> FieldPath.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
