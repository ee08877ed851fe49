package dev.tidemark.index;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class IndexDefinitionTest {

    @Test
    void hasANameThatIsUniqueAmongTables() {
        assertThat(Rows.index(KeyPart.of("a")).qualifiedName()).isEqualTo("t.i");
    }

    @Test
    void needsAKeyWithAtMostOneEach() {
        assertThatThrownBy(Rows::index).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Rows.index(Rows.each("a"), Rows.each("b")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
