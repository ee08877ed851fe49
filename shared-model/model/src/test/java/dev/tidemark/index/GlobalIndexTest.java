package dev.tidemark.index;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowFields;

import static dev.tidemark.index.Rows.PRIMARY_KEY;
import static dev.tidemark.index.Rows.descending;
import static dev.tidemark.index.Rows.each;
import static dev.tidemark.index.Rows.row;
import static org.assertj.core.api.Assertions.assertThat;

/** In which partitions of a global index a row is, and what they hold of it. */
class GlobalIndexTest {
    private static final int PARTITIONS = 8;

    @Test
    void theBeginningOfAKeyNamesThePartitionOfEveryEntryWithThatFirstPart() throws Exception {
        for (KeyPart first : List.of(KeyPart.of("town"), descending("town"))) {
            IndexDefinition index = global(new Projection.All(), first, KeyPart.of("year"));
            KeyBytes entry = new EntryDeriver(index)
                    .derive(PRIMARY_KEY, row("{'id':1,'town':'Redmond','year':1999}"))
                    .keys()
                    .get(0);
            KeyBytes asked = new KeyWriter()
                    .append(new FieldValue.Text("Redmond"), first.order())
                    .toKey();

            assertThat(index.partitionOf(asked)).isEqualTo(index.partitionOf(entry));
            assertThat(index.partitionOf(asked))
                    .as("the direction of the part does not matter")
                    .isEqualTo(global(new Projection.All(), KeyPart.of("town"))
                            .partitionOf(new KeyWriter()
                                    .append(new FieldValue.Text("Redmond"), Order.ASC)
                                    .toKey()));
        }
    }

    @Test
    void eachPartitionHasItsOwnEntriesOfARowWithSeveralElements() throws Exception {
        IndexDefinition index = global(new Projection.KeysOnly(), each("tags"));
        String row = "{'tags':['a','b','c','d','e','f']}";
        Set<Integer> partitions = partitions(index, row);
        List<KeyBytes> all =
                new EntryDeriver(index).derive(PRIMARY_KEY, row(row)).keys();

        assertThat(partitions).hasSizeBetween(2, 6);
        int found = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            DerivedEntries own = EntryDeriver.of(index, partition).derive(PRIMARY_KEY, row(row));
            assertThat(own.keys().isEmpty()).isEqualTo(!partitions.contains(partition));
            assertThat(all).containsAll(own.keys());
            found += own.keys().size();
        }
        assertThat(found).isEqualTo(all.size());
    }

    @Test
    void aRowThatTheIndexLeavesOutIsNowhereAndOneThatItCannotHoldIsInTheFirstPartition() {
        IndexDefinition index = global(new Projection.KeysOnly(), KeyPart.of("town"));

        assertThat(partitions(index, "{'year':1999}")).isEmpty();
        assertThat(partitions(index, "{'town':{'name':'Redmond'}}")).containsExactly(0);
    }

    @Test
    void aPartitionHoldsWhatDecidesOnEntriesAndWhatTheyCarry() {
        String row = "{'id':7,'town':'Redmond','year':1999,'about':'long'}";
        Projection some = new Projection.Fields(List.of(FieldPath.parse("year")));
        RowFields key = new RowFields(List.of("id"));

        assertThat(new EntryDeriver(global(some, KeyPart.of("town")))
                        .projected(row(row), key)
                        .tree())
                .isEqualTo(row("{'id':7,'town':'Redmond','year':1999}").tree());
        assertThat(new EntryDeriver(global(new Projection.All(), KeyPart.of("town"))).projected(row(row), key))
                .isEqualTo(row(row));
    }

    private static Set<Integer> partitions(IndexDefinition index, String row) {
        return new EntryDeriver(index).partitions(PRIMARY_KEY, PartialRow.of(row(row)));
    }

    private static IndexDefinition global(Projection projection, KeyPart... key) {
        return new IndexDefinition("t", "i", List.of(key), projection, RowFilter.NONE, PARTITIONS);
    }
}
