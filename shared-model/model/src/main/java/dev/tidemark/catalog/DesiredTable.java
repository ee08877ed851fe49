package dev.tidemark.catalog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.tidemark.index.IndexDefinition;

/**
 * A table and what is wanted of its indexes.
 *
 * @param definition the table with the current definitions of its indexes
 * @param indexes the same indexes in the same order
 * @param pausedSince since when no worker may apply changes of the table; empty while all apply them
 * @param sourceSince the version of the definitions with which the table began to follow its source; 0 without a source
 * @param layout the partitions that its local indexes are to have; empty for those that the table began with, which are
 *     those of the definition
 */
public record DesiredTable(
        TableDefinition definition,
        List<DesiredIndex> indexes,
        Optional<Instant> pausedSince,
        long sourceSince,
        Optional<Layout> layout) {

    public DesiredTable {
        indexes = List.copyOf(indexes);
        if (!definition.indexes().equals(currentOf(indexes))) {
            throw new IllegalArgumentException("Expected plans for the indexes of table " + definition.name()
                    + " in their order, but got plans for " + indexes);
        }
    }

    /** A table whose changes are applied. */
    public DesiredTable(TableDefinition definition, List<DesiredIndex> indexes) {
        this(definition, indexes, Optional.empty(), 0, Optional.empty());
    }

    /** The same with other indexes. */
    DesiredTable with(List<DesiredIndex> others) {
        return new DesiredTable(definition.with(currentOf(others)), others, pausedSince, sourceSince, layout);
    }

    /**
     * The same with the layout that its local indexes are in now, where all of them are in one. Without this a move
     * that was cancelled or rolled back would begin again with the next change of the definitions.
     */
    DesiredTable settled() {
        List<Optional<Layout>> present = indexes.stream()
                .map(DesiredIndex::current)
                .filter(generation -> !generation.definition().isGlobal())
                .map(Generation::layout)
                .distinct()
                .toList();
        return present.size() == 1
                ? new DesiredTable(definition, indexes, pausedSince, sourceSince, present.get(0))
                : this;
    }

    /** The same, paused since then unless it is paused already; empty for not paused. */
    DesiredTable paused(Optional<Instant> since) {
        return new DesiredTable(definition, indexes, since.map(pausedSince::orElse), sourceSince, layout);
    }

    public String name() {
        return definition.name();
    }

    /** The partitions that a catalog gives the table: those that its local indexes have, or are to have. */
    public int partitions() {
        return layout.map(Layout::partitions).orElse(definition.partitions());
    }

    /** The table as a catalog has it. */
    TableDefinition wanted() {
        return definition.with(partitions());
    }

    /**
     * The layout with a number of partitions; empty for those that the table began with.
     *
     * @param number gives the number of a new one, where no index is in such a layout: the topic of one that was left
     *     lacks what was written since, and may be about to be deleted
     */
    Optional<Layout> layout(int partitions, LongSupplier number) {
        return partitions == definition.partitions()
                ? Optional.empty()
                : Optional.of(layouts().stream()
                        .filter(one -> one.partitions() == partitions)
                        .findFirst()
                        .orElseGet(() -> new Layout(number.getAsLong(), partitions)));
    }

    /** The layouts that its indexes are in. */
    private List<Layout> layouts() {
        return generations().stream()
                .flatMap(generation -> generation.layout().stream())
                .distinct()
                .toList();
    }

    /** The index of that bare name. */
    public Optional<DesiredIndex> index(String index) {
        return indexes.stream().filter(plan -> plan.name().equals(index)).findFirst();
    }

    /** Every generation that a shard of this table holds: of each index the current one, then the previous one. */
    public List<Generation> generations() {
        return indexes.stream().flatMap(index -> index.generations().stream()).toList();
    }

    /** The same with the generations only that are in the partitions that the table began with. */
    DesiredTable local() {
        return holding(definition, generation -> !generation.isDerived());
    }

    /** A table for each layout, and one for each generation of a global index. */
    List<DesiredTable> derived() {
        List<DesiredTable> derived = new ArrayList<>();
        for (Layout one : layouts()) {
            TableDefinition home = new TableDefinition(
                    DerivedTable.of(name(), one).name(),
                    definition.primaryKey(),
                    one.partitions(),
                    List.of(),
                    definition.source());
            derived.add(holding(home, generation -> generation.layout().equals(Optional.of(one))));
        }
        for (Generation generation : generations()) {
            if (generation.definition().isGlobal()) {
                derived.add(holding(generation.home(definition), generation::equals));
            }
        }
        return derived;
    }

    /**
     * Whether nothing but builds that rest needs the rows of this table, if it is a derived one: the generation before
     * may answer.
     */
    public boolean isBuildPaused() {
        return indexes.stream()
                .allMatch(index -> index.paused() && index.previous().isEmpty());
    }

    /** A table with those of the generations here that it holds. */
    private DesiredTable holding(TableDefinition home, Predicate<Generation> isHeld) {
        List<DesiredIndex> held = indexes.stream()
                .flatMap(index -> index.only(isHeld, home.name()).stream())
                .toList();
        return new DesiredTable(home.with(currentOf(held)), held, pausedSince, sourceSince, Optional.empty());
    }

    DesiredTable with(String index, UnaryOperator<DesiredIndex> change) {
        return with(indexes.stream()
                .map(plan -> plan.name().equals(index) ? change.apply(plan) : plan)
                .toList());
    }

    DesiredTable without(String index) {
        return with(indexes.stream().filter(plan -> !plan.name().equals(index)).toList());
    }

    private static List<IndexDefinition> currentOf(List<DesiredIndex> indexes) {
        return indexes.stream().map(plan -> plan.current().definition()).toList();
    }
}
