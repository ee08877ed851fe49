package dev.tidemark.writer.commit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.Layout;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.row;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

/** Placements in a global index, and in a layout that the table grows into. */
class RowPlacementsTest {
    private static final IndexDefinition BY_TOWN = new IndexDefinition(
            "customers", "by_town", List.of(KeyPart.of("town")), new Projection.KeysOnly(), RowFilter.NONE, 3, 1);
    private static final Layout GROWN = new Layout(7, 8);
    private static final DerivedTable INDEX = new DerivedTable("customers", "by_town", 5);
    private static final DerivedTable LAYOUT = new DerivedTable("customers", "", 7);
    private static final List<Generation> GENERATIONS = List.of(
            new Generation(4, CUSTOMERS.indexes().get(0)),
            new Generation(5, BY_TOWN),
            new Generation(6, CUSTOMERS.indexes().get(0), Optional.of(GROWN)));
    private static final KeyBytes KEY = customerKey(1);

    private static final String TOWN = "a";
    private static final String ELSEWHERE = elsewhere();

    private final RowPlacements placements = new RowPlacements(GENERATIONS);

    @Test
    void theTableItselfIsNoneOfItsHomes() {
        assertThat(placements.homes()).containsExactlyInAnyOrder(INDEX, LAYOUT);
        assertThat(new RowPlacements(GENERATIONS.subList(0, 1)).of(KEY, null, customer(1, TOWN), Map.of()))
                .isEmpty();
    }

    @Test
    void aRowThatMovesLeavesOnePartitionOfTheIndexAndEntersAnother() {
        assertThat(placements.of(KEY, customer(1, TOWN), customer(1, ELSEWHERE), Map.of()))
                .containsExactlyInAnyOrder(inLayout(true), inIndex(TOWN, false), inIndex(ELSEWHERE, true));
    }

    @Test
    void aRowThatStaysIsPlacedOnce() {
        assertThat(placements.of(KEY, customer(1, TOWN), customer(1, TOWN), Map.of()))
                .containsExactlyInAnyOrder(inLayout(true), inIndex(TOWN, true));
    }

    @Test
    void aRowThatGoesLeavesEachPlace() {
        assertThat(placements.of(KEY, customer(1, TOWN), null, Map.of()))
                .containsExactlyInAnyOrder(inLayout(false), inIndex(TOWN, false));
    }

    @Test
    void aRowThatCouldNotBeReadMayHaveBeenInEachPartitionOfTheIndex() {
        RowDocument unreadable = RowDocument.stored("{\"town\":1.0E+99999999999".getBytes(StandardCharsets.US_ASCII));

        assertThat(placements.of(KEY, unreadable, customer(1, TOWN), Map.of()))
                .hasSize(1 + BY_TOWN.partitions())
                .filteredOn(Placement::holds)
                .containsExactlyInAnyOrder(inLayout(true), inIndex(TOWN, true));
    }

    @Test
    void eachHomeHasItsOwnPartitionsOfARow() {
        assertThat(placements.partitions(LAYOUT, KEY, customer(1, TOWN))).containsExactly(KEY.partition(8));
        assertThat(placements.partitions(INDEX, KEY, customer(1, TOWN))).containsExactly(partition(TOWN));
        assertThat(placements.partitions(INDEX, KEY, row("{'customerId':1}"))).isEmpty();
        assertThat(placements.partitions(LAYOUT, KEY, null)).isEmpty();
        assertThat(placements.partitions(INDEX, KEY, null)).isEmpty();
        assertThat(placements.partitions(new DerivedTable("customers", "gone", 1), KEY, customer(1, TOWN)))
                .isEmpty();
    }

    @Test
    void otherPartitionsLearnOfAChangeWhereItIsNotPlacedThereAnyway() {
        RowRules rules = new RowRules(CUSTOMERS, GENERATIONS, TestTables.MAX_ROW_BYTES, 0);
        ChangeEvent put = TestTables.put(2, 1, TOWN).event();
        StoredRow before = new StoredRow(version(1), TestTables.timeOf(1), customer(1, TOWN));
        Placement elsewhere = new Placement(LAYOUT, (KEY.partition(8) + 1) % 8, false);

        assertThat(rules.placements(
                        put,
                        before,
                        Map.of(),
                        List.of(inIndex(TOWN, false), inIndex(ELSEWHERE, false), inLayout(false), elsewhere)))
                .containsExactlyInAnyOrder(inLayout(true), inIndex(TOWN, true), inIndex(ELSEWHERE, false), elsewhere);
    }

    private static Placement inLayout(boolean holds) {
        return new Placement(LAYOUT, KEY.partition(8), holds);
    }

    private static Placement inIndex(String town, boolean holds) {
        return new Placement(INDEX, partition(town), holds);
    }

    private static int partition(String town) {
        return BY_TOWN.partitionOf(new FieldValue.Text(town), KEY);
    }

    /** A town that is in another partition. */
    private static String elsewhere() {
        String town = TOWN;
        while (partition(town) == partition(TOWN)) {
            town += "x";
        }
        return town;
    }
}
