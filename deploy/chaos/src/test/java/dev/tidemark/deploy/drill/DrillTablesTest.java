package dev.tidemark.deploy.drill;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowDocument;

import static org.assertj.core.api.Assertions.assertThat;

class DrillTablesTest {
    @Test
    void aVictimOfForgeryHasAnEntryInEachIndexOfItsTableThatNoClientAsksFor() throws Exception {
        TableDefinition people = DrillTables.table(DrillTables.catalog(0), "people");
        ObjectNode victim = DrillTables.victim("p-1", "healed");

        assertThat(people.indexes()).hasSize(2);
        for (IndexDefinition index : people.indexes()) {
            assertThat(new EntryDeriver(index)
                            .derive(people.keyOf(victim), RowDocument.of(victim))
                            .keys())
                    .as(index.name())
                    .hasSize(1);
        }
        assertThat(DrillTables.RowGenerator.WORDS).doesNotContain("healed", "forged");
    }
}
