package dev.tidemark.deploy.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.catalog.OperationRefusedException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;

/** The definitions in force, which operators change at random. They survive every crash. */
final class SimulatedDefinitions {
    /** Tables that change. */
    private final List<String> changing;

    private final long firstOfTheRun;
    private Definitions current;
    private Catalog catalog;
    private Definitions layout;

    /** Definitions of some tables, of which those change whose rows clients write. */
    SimulatedDefinitions(List<TableDefinition> tables) {
        this.current = SampleTable.definitions(tables);
        this.catalog = current.catalog();
        this.layout = current.layout();
        this.firstOfTheRun = current.nextGeneration();
        this.changing = tables.stream()
                .filter(table -> table.source().isEmpty())
                .map(TableDefinition::name)
                .toList();
    }

    Definitions current() {
        return current;
    }

    /** The tables; the same object until something changes. */
    Catalog catalog() {
        return catalog;
    }

    /** What topics and shards hold of them. */
    Definitions layout() {
        return layout;
    }

    /** Whether a generation is in a derived table that came after the run began. */
    boolean isOfTheRun(Generation generation) {
        return generation.isDerived() && DerivedTable.of(generation).number() >= firstOfTheRun;
    }

    /** One change: of a definition, of the set of indexes, of the number of partitions, or an order. */
    void change(RandomSource chance) {
        String table = chance.pick(changing);
        if (chance.below(8) >= 5) {
            order(chance.pick(List.of(IndexOperation.Kind.values())), table, chance);
        } else if (table.equals(SampleTable.NAME)) {
            changeIndexes(chance);
        } else {
            changePlaces(chance);
        }
    }

    private void changeIndexes(RandomSource chance) {
        switch (chance.below(5)) {
            case 0, 1, 2 -> redefine(chance.pick(SampleTable.VARIANTS_BY_TOWN));
            case 3 -> addOrDrop(SampleTable.BY_SIZE);
            default -> addOrDrop(SampleTable.BY_TAG);
        }
    }

    /** The table beside grows or shrinks, or one of its indexes changes its scope, comes or goes. */
    private void changePlaces(RandomSource chance) {
        TableDefinition beside =
                current.wanted().table(SampleTable.BESIDE.name()).orElseThrow();
        List<IndexDefinition> scopes = chance.pick(SampleTable.SCOPES);
        switch (chance.below(5)) {
            case 0, 1 -> grow(beside, chance.pick(SampleTable.SIZES), chance);
            case 2, 3 -> rescope(beside, chance.pick(scopes), chance);
            default -> addOrDrop(scopes.get(0));
        }
    }

    private void grow(TableDefinition beside, int partitions, RandomSource chance) {
        if (partitions != beside.partitions()) {
            chance.meet(partitions > beside.partitions() ? CoveragePoint.A_TABLE_GREW : CoveragePoint.A_TABLE_SHRANK);
        }
        bringInForce(SampleTable.beside(partitions, beside.indexes()));
    }

    private void rescope(TableDefinition beside, IndexDefinition index, RandomSource chance) {
        beside.index(index.name())
                .filter(before -> before.isGlobal() != index.isGlobal())
                .ifPresent(before -> chance.meet(CoveragePoint.A_SCOPE_CHANGED));
        redefine(index);
    }

    /** Nothing rests any longer. */
    void resumeAll() {
        changing.forEach(table -> names(table).forEach(index -> order(IndexOperation.Kind.RESUME, table, index)));
    }

    private void order(IndexOperation.Kind kind, String table, RandomSource chance) {
        if (!names(table).isEmpty()) {
            order(kind, table, chance.pick(names(table)));
        }
    }

    private void order(IndexOperation.Kind kind, String table, String index) {
        boolean last = names(table).size() == 1;
        if (kind == IndexOperation.Kind.CANCEL
                && last
                && plan(table, index).previous().isEmpty()) {
            return;
        }
        try {
            set(current.with(new IndexOperation(kind, table, index), Instant.EPOCH));
        } catch (OperationRefusedException e) {
            // As an operator would be told: there is nothing to go back to.
            return;
        }
    }

    private void redefine(IndexDefinition index) {
        List<IndexDefinition> wanted = allBut(index);
        wanted.add(index);
        bringInForce(index.table(), wanted);
    }

    private void addOrDrop(IndexDefinition index) {
        List<IndexDefinition> wanted = allBut(index);
        if (!names(index.table()).contains(index.name())) {
            wanted.add(index);
        }
        if (!wanted.isEmpty()) {
            bringInForce(index.table(), wanted);
        }
    }

    private void bringInForce(String table, List<IndexDefinition> indexes) {
        int partitions = current.table(table).orElseThrow().partitions();
        bringInForce(
                table.equals(SampleTable.NAME) ? SampleTable.with(indexes) : SampleTable.beside(partitions, indexes));
    }

    private void bringInForce(TableDefinition table) {
        List<TableDefinition> tables = new ArrayList<>(current.wanted().tables());
        tables.replaceAll(before -> before.name().equals(table.name()) ? table : before);
        set(current.changed(new Catalog(tables), Instant.EPOCH));
    }

    private void set(Definitions next) {
        if (next.version() != current.version()) {
            current = next;
            catalog = next.catalog();
            layout = next.layout();
        }
    }

    private List<IndexDefinition> allBut(IndexDefinition index) {
        return new ArrayList<>(plans(index.table()).stream()
                .filter(plan -> !plan.name().equals(index.name()))
                .map(plan -> plan.current().definition())
                .toList());
    }

    private DesiredIndex plan(String table, String index) {
        return current.index(table, index).orElseThrow();
    }

    private List<String> names(String table) {
        return plans(table).stream().map(DesiredIndex::name).toList();
    }

    private List<DesiredIndex> plans(String table) {
        return current.table(table).orElseThrow().indexes();
    }
}
