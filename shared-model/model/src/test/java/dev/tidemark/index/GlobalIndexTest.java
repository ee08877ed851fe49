package dev.tidemark.index;

import java.util.HashSet;
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
    private static final KeyBytes REDMOND =
            new KeyWriter().append(new FieldValue.Text("Redmond"), Order.ASC).toKey();

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

            assertThat(index.partitionsOf(asked)).containsExactly(index.partitionOf(entry));
            assertThat(index.partitionOf(entry))
                    .as("the direction of the part does not matter, nor does the row")
                    .isEqualTo(REDMOND.partition(PARTITIONS))
                    .isEqualTo(index.partitionOf(new FieldValue.Text("Redmond"), PRIMARY_KEY));
        }
    }

    @Test
    void aSaltSpreadsTheRowsOfOneFirstKeyPartOverThatManyPartitions() throws Exception {
        for (KeyPart first : List.of(KeyPart.of("town"), descending("town"))) {
            for (int salt = 1; salt <= PARTITIONS; salt++) {
                IndexDefinition index = salted(salt, first, descending("year"));
                Set<Integer> used = new HashSet<>();
                for (int id = 0; id < 200; id++) {
                    KeyBytes row = new KeyWriter()
                            .append(FieldValue.Num.of(id), Order.ASC)
                            .toKey();
                    KeyBytes entry = new EntryDeriver(index)
                            .derive(row, row("{'town':'Redmond','year':" + id % 7 + "}"))
                            .keys()
                            .get(0);
                    int partition = (REDMOND.partition(PARTITIONS) + row.partition(salt)) % PARTITIONS;
                    assertThat(index.partitionOf(entry)).isEqualTo(partition);
                    assertThat(index.partitionOf(new FieldValue.Text("Redmond"), row))
                            .isEqualTo(partition);
                    used.add(partition);
                }
                KeyBytes asked = new KeyWriter()
                        .append(new FieldValue.Text("Redmond"), first.order())
                        .toKey();
                assertThat(index.partitionsOf(asked)).hasSize(salt).containsExactlyInAnyOrderElementsOf(used);
            }
        }
    }

    @Test
    void eachPartitionHasItsOwnEntriesOfARowWithSeveralElements() throws Exception {
        String row = "{'tags':['a','b','c','d','e','f']}";
        for (IndexDefinition index : List.of(salted(1, each("tags")), salted(5, each("tags")))) {
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
        return new IndexDefinition("t", "i", List.of(key), projection, RowFilter.NONE, PARTITIONS, 1);
    }

    private static IndexDefinition salted(int salt, KeyPart... key) {
        return new IndexDefinition("t", "i", List.of(key), new Projection.KeysOnly(), RowFilter.NONE, PARTITIONS, salt);
    }
}
