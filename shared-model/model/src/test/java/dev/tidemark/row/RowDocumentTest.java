package dev.tidemark.row;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RowDocumentTest {

    @Test
    void hasTheSameJsonInBothForms() throws Exception {
        RowDocument parsed = RowDocument.parse(utf8(" { \"a\" : 1.0 , \"b\" : [ ] } "));
        RowDocument stored = RowDocument.stored(parsed.bytes());

        assertThat(parsed.bytes()).isEqualTo(utf8("{\"a\":1.0,\"b\":[]}"));
        assertThat(stored.tree()).isEqualTo(parsed.tree());
        assertThat(stored).isEqualTo(parsed).hasSameHashCodeAs(parsed);
    }

    @Test
    void isEqualWhateverTheOrderOfFields() throws Exception {
        assertThat(RowDocument.parse(utf8("{\"a\":1,\"b\":2}")))
                .isEqualTo(RowDocument.parse(utf8("{\"b\":2,\"a\":1}")));
        assertThat(RowDocument.parse(utf8("{\"a\":1}"))).isNotEqualTo(RowDocument.parse(utf8("{\"a\":2}")));
    }

    @Test
    void reportsStoredBytesThatAreNotARow() {
        RowDocument broken = RowDocument.stored(utf8("[]"));

        assertThatThrownBy(broken::tree)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("stored row");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
