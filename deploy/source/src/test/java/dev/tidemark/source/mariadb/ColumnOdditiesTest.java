package dev.tidemark.source.mariadb;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.source.feed.Columns;

import static org.assertj.core.api.Assertions.assertThat;

class ColumnOdditiesTest {
    @Test
    void namesNumbersThatComeWithFewerDigitsThanTheyHave() {
        TreeMap<String, Columns.Column> columns = new TreeMap<>();
        for (String type : new String[] {"float", "float unsigned", "float(7,3)", "double", "decimal(7,3)"}) {
            columns.put("shop.items." + type, new Columns.Column("shop.items", type, true, 1));
        }
        assertThat(ColumnOddities.of(new Columns(columns, Map.of(), Set.of())))
                .hasSize(2)
                .anySatisfy(what -> assertThat(what).contains("(float)").contains("six digits"))
                .anySatisfy(what -> assertThat(what).contains("(float unsigned)"));
    }
}
