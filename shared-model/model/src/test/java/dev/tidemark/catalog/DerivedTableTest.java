package dev.tidemark.catalog;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DerivedTableTest {
    @Test
    void messagesCallATableAsItsUsersDo() {
        assertThat(DerivedTable.inWords("customers")).isEqualTo("table customers");
        assertThat(DerivedTable.inWords("customers.22")).isEqualTo("table customers");
        assertThat(DerivedTable.inWords("customers.by_town.4")).isEqualTo("index customers.by_town");
    }
}
