package dev.tidemark.deploy.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.catalog.OperationRefusedException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;

/** The definitions in force, which operators change at random. They survive every crash. */
final class SimulatedDefinitions {
    private final List<TableDefinition> others;
    private Definitions current;
    private Definitions layout;

    /** Definitions of some tables, of which those of {@link SampleTable#NAME} change. */
    SimulatedDefinitions(List<TableDefinition> tables) {
        this.current = SampleTable.definitions(tables);
        this.layout = current.layout();
        this.others = current.wanted().tables().stream()
                .filter(table -> !table.name().equals(SampleTable.NAME))
                .toList();
    }

    Definitions current() {
        return current;
    }

    /** What topics and shards hold of them. */
    Definitions layout() {
        if (layout.version() != current.version()) {
            layout = current.layout();
        }
        return layout;
    }

    /** One change: of a definition, of the set of indexes, or an order. */
    void change(RandomSource chance) {
        switch (chance.below(8)) {
            case 0, 1, 2 -> redefine(chance.pick(SampleTable.VARIANTS_BY_TOWN));
            case 3 -> addOrDrop(SampleTable.BY_SIZE);
            case 4 -> addOrDrop(SampleTable.BY_TAG);
            default -> order(chance.pick(List.of(IndexOperation.Kind.values())), chance);
        }
    }

    /** Nothing rests any longer. */
    void resumeAll() {
        names().forEach(name -> order(IndexOperation.Kind.RESUME, name));
    }

    private void order(IndexOperation.Kind kind, RandomSource chance) {
        if (!names().isEmpty()) {
            order(kind, chance.pick(names()));
        }
    }

    private void order(IndexOperation.Kind kind, String index) {
        boolean last = names().size() == 1;
        if (kind == IndexOperation.Kind.CANCEL && last) {
            return;
        }
        try {
            current = current.with(new IndexOperation(kind, SampleTable.NAME, index), Instant.EPOCH);
        } catch (OperationRefusedException e) {
            // As an operator would be told: there is nothing to go back to.
            return;
        }
    }

    private void redefine(IndexDefinition index) {
        List<IndexDefinition> wanted = allBut(index.name());
        wanted.add(index);
        bringInForce(wanted);
    }

    private void addOrDrop(IndexDefinition index) {
        List<IndexDefinition> wanted = allBut(index.name());
        if (!names().contains(index.name())) {
            wanted.add(index);
        }
        bringInForce(wanted);
    }

    private void bringInForce(List<IndexDefinition> indexes) {
        List<TableDefinition> tables = new ArrayList<>(others);
        tables.add(SampleTable.with(indexes));
        current = current.changed(new Catalog(tables), Instant.EPOCH);
    }

    private List<IndexDefinition> allBut(String name) {
        return new ArrayList<>(plans().stream()
                .filter(plan -> !plan.name().equals(name))
                .map(plan -> plan.current().definition())
                .toList());
    }

    private List<String> names() {
        return plans().stream().map(DesiredIndex::name).toList();
    }

    private List<DesiredIndex> plans() {
        return current.table(SampleTable.NAME).orElseThrow().indexes();
    }
}
