package dev.tidemark.catalog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import dev.tidemark.index.IndexDefinition;

/**
 * A table and what is wanted of its indexes.
 *
 * @param definition the table with the current definitions of its indexes
 * @param indexes the same indexes in the same order
 * @param pausedSince since when no worker may apply changes of the table; empty while all apply them
 * @param sourceSince the version of the definitions with which the table began to follow its source; 0 without a source
 */
public record DesiredTable(
        TableDefinition definition, List<DesiredIndex> indexes, Optional<Instant> pausedSince, long sourceSince) {

    public DesiredTable {
        indexes = List.copyOf(indexes);
        if (!definition.indexes().equals(currentOf(indexes))) {
            throw new IllegalArgumentException("Expected plans for the indexes of table " + definition.name()
                    + " in their order, but got plans for " + indexes);
        }
    }

    /** A table whose changes are applied. */
    public DesiredTable(TableDefinition definition, List<DesiredIndex> indexes) {
        this(definition, indexes, Optional.empty(), 0);
    }

    /** The same with other indexes. */
    DesiredTable with(List<DesiredIndex> others) {
        return new DesiredTable(definition.with(currentOf(others)), others, pausedSince, sourceSince);
    }

    /** The same, paused since then unless it is paused already; empty for not paused. */
    DesiredTable paused(Optional<Instant> since) {
        return new DesiredTable(definition, indexes, since.map(pausedSince::orElse), sourceSince);
    }

    public String name() {
        return definition.name();
    }

    /** The index of that bare name. */
    public Optional<DesiredIndex> index(String index) {
        return indexes.stream().filter(plan -> plan.name().equals(index)).findFirst();
    }

    /** Every generation that a shard of this table holds: of each index the current one, then the previous one. */
    public List<Generation> generations() {
        return indexes.stream().flatMap(index -> index.generations().stream()).toList();
    }

    /** The same with the local generations only. */
    DesiredTable local() {
        return with(indexes.stream().flatMap(index -> index.local().stream()).toList());
    }

    /** A table for each generation of a global index. */
    List<DesiredTable> derived() {
        List<DesiredTable> derived = new ArrayList<>();
        for (DesiredIndex index : indexes) {
            for (Generation generation : index.generations()) {
                if (generation.definition().isGlobal()) {
                    derived.add(derived(generation, index.paused()));
                }
            }
        }
        return derived;
    }

    private DesiredTable derived(Generation generation, boolean paused) {
        TableDefinition home = generation.home(definition);
        Generation own = new Generation(generation.id(), home.indexes().get(0));
        return new DesiredTable(
                home, List.of(new DesiredIndex(own, Optional.empty(), paused)), pausedSince, sourceSince);
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
