package dev.tidemark.catalog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.tidemark.index.IndexDefinition;

/**
 * The wanted state of all tables and indexes, as one record with a version, so that a change of many indexes is one
 * step and of two changes made from the same version one can win. Immutable: each change gives the next version.
 *
 * @param version from 1, one more with every change
 * @param at when this version was made
 * @param tables in the order of the catalog file
 * @param nextGeneration the number that the next new generation gets; above every number given so far
 * @param deployment whose definitions these are: an identity that a writer makes with its first data directory; empty
 *     before
 */
public record Definitions(long version, Instant at, List<DesiredTable> tables, long nextGeneration, String deployment) {

    /** The order to apply no changes of a table, as clients write it. */
    public static final String PAUSE_TABLE = "pause_table";

    /** The order to apply changes of a table again. */
    public static final String RESUME_TABLE = "resume_table";

    public Definitions {
        tables = List.copyOf(tables);
        if (version < 1) {
            throw new IllegalArgumentException("Expected a version from 1, but got " + version);
        }
        Set<Long> numbers = new HashSet<>();
        for (DesiredTable table : tables) {
            for (Generation generation : table.generations()) {
                if (generation.id() >= nextGeneration || !numbers.add(generation.id())) {
                    throw new IllegalArgumentException("Expected each generation once and below the next one, "
                            + nextGeneration + ", but got " + generation.id() + " of "
                            + generation.definition().qualifiedName());
                }
            }
        }
    }

    /** Definitions of no deployment yet. */
    public Definitions(long version, Instant at, List<DesiredTable> tables, long nextGeneration) {
        this(version, at, tables, nextGeneration, "");
    }

    /** The same, as those of a deployment. */
    public Definitions of(String owner) {
        return new Definitions(version, at, tables, nextGeneration, owner);
    }

    /** Version 1: every index of a catalog in its first generation, numbered from 1 in the order of the catalog. */
    public static Definitions first(Catalog catalog, Instant at) {
        return new Definitions(1, at, List.of(), 1).next(List.of(), catalog.tables(), Set.of(), at, 1);
    }

    /** The tables with the current definitions of their indexes, and the partitions that each began with. */
    public Catalog catalog() {
        return new Catalog(tables.stream().map(DesiredTable::definition).toList());
    }

    /** The tables as a catalog file has them that changes nothing. */
    public Catalog wanted() {
        return new Catalog(tables.stream().map(DesiredTable::wanted).toList());
    }

    public Optional<DesiredTable> table(String name) {
        return tables.stream().filter(table -> table.name().equals(name)).findFirst();
    }

    /** The index of that bare name. */
    public Optional<DesiredIndex> index(String table, String index) {
        return table(table).flatMap(plan -> plan.index(index));
    }

    /** Every generation that a shard of a table holds; none for a table that is not here. */
    public List<Generation> generations(String table) {
        return table(table).map(DesiredTable::generations).orElse(List.of());
    }

    /**
     * What topics and shards hold of these definitions: each table with the generations in the partitions that it began
     * with, and a {@link DerivedTable} for each of its layouts and each generation of a global index.
     */
    public Definitions layout() {
        if (hasNoDerived()) {
            return this;
        }
        List<DesiredTable> all =
                new ArrayList<>(tables.stream().map(DesiredTable::local).toList());
        tables.forEach(table -> all.addAll(table.derived()));
        return new Definitions(version, at, all, nextGeneration, deployment);
    }

    /** Whether no table is derived from another. */
    boolean hasNoDerived() {
        return tables.stream().flatMap(table -> table.generations().stream()).noneMatch(Generation::isDerived);
    }

    /** The numbers of all generations. */
    public Set<Long> numbers() {
        return tables.stream()
                .flatMap(table -> table.generations().stream())
                .map(Generation::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * What has to change for a catalog to be in force: creations and changes in the order of the catalog, then drops.
     * Empty exactly when every index means the same already.
     */
    public List<IndexChange> diff(Catalog wanted) {
        return diff(wanted, index -> wanted.table(index.table()).map(TableDefinition::partitions));
    }

    /** What has changed up to later definitions: moves that began or were taken back, and none that is only wanted. */
    public List<IndexChange> diff(Definitions later) {
        return diff(later.catalog(), later::partitions);
    }

    private List<IndexChange> diff(Catalog wanted, Function<IndexDefinition, Optional<Integer>> partitions) {
        List<IndexChange> changes = new ArrayList<>();
        for (IndexDefinition index : wanted.indexes()) {
            Optional<Generation> current = index(index.table(), index.name()).map(DesiredIndex::current);
            if (current.isEmpty()) {
                changes.add(new IndexChange.Create(index));
            } else if (!current.get().means(index)) {
                changes.add(new IndexChange.Change(current.get().definition(), index));
            } else if (!index.isGlobal()) {
                move(index, partitions.apply(index)).ifPresent(changes::add);
            }
        }
        for (IndexDefinition index : catalog().indexes()) {
            if (wanted.table(index.table())
                    .flatMap(table -> table.index(index.name()))
                    .isEmpty()) {
                changes.add(new IndexChange.Drop(index));
            }
        }
        return changes;
    }

    /** The move of a local index to other partitions of its table. */
    private Optional<IndexChange> move(IndexDefinition index, Optional<Integer> to) {
        Optional<Integer> from = partitions(index);
        return from.equals(to) || from.isEmpty() || to.isEmpty()
                ? Optional.empty()
                : Optional.of(new IndexChange.Move(index, from.get(), to.get()));
    }

    /** The partitions of an index here, by its current generation. */
    private Optional<Integer> partitions(IndexDefinition index) {
        return table(index.table())
                .flatMap(table ->
                        table.index(index.name()).map(plan -> plan.current().partitions(table.definition())));
    }

    /** The tables here whose rows come from elsewhere in a catalog. */
    public List<SourceChange> sourceChanges(Catalog wanted) {
        List<SourceChange> changes = new ArrayList<>();
        for (TableDefinition table : wanted.tables()) {
            table(table.name())
                    .map(present -> present.definition().source())
                    .filter(source -> !source.equals(table.source()))
                    .ifPresent(source -> changes.add(new SourceChange(table.name(), source, table.source())));
        }
        return changes;
    }

    /**
     * Returns the names of the tables here that a catalog lacks. Their rows stay in place, and no worker follows them
     * any more.
     */
    public List<String> leaving(Catalog wanted) {
        return tables.stream()
                .map(DesiredTable::name)
                .filter(name -> wanted.table(name).isEmpty())
                .toList();
    }

    /**
     * How the tables of a catalog differ in name or key from those here, which no change may touch. A table may be left
     * out if it has no indexes.
     */
    public List<String> foreign(Catalog wanted) {
        List<String> reasons = new ArrayList<>();
        for (DesiredTable table : tables) {
            wanted.table(table.name())
                    .ifPresentOrElse(
                            other -> reasons.addAll(foreign(table.definition(), other)),
                            () -> reasons.addAll(left(table)));
        }
        for (TableDefinition table : wanted.tables()) {
            if (table(table.name()).isEmpty()) {
                reasons.add(
                        "table " + table.name() + " is new; a new table comes into force when the writer starts with"
                                + " a catalog file that has it");
            }
        }
        return reasons;
    }

    /**
     * Reports a table that the catalog lacks while the table still has indexes. Otherwise one forgotten table would
     * drop all its indexes.
     */
    private static List<String> left(DesiredTable table) {
        List<String> names =
                table.definition().indexes().stream().map(IndexDefinition::name).toList();
        return names.isEmpty()
                ? List.of()
                : List.of("table " + table.name() + " is in force, but the catalog does not have it; drop its indexes "
                        + String.join(", ", names) + " first, and then leave the table out");
    }

    private static List<String> foreign(TableDefinition table, TableDefinition wanted) {
        List<String> reasons = new ArrayList<>();
        if (!wanted.primaryKey().equals(table.primaryKey())) {
            reasons.add("table " + table.name() + " has the primary key " + table.primaryKey()
                    + ", which cannot become " + wanted.primaryKey());
        }
        return reasons;
    }

    /**
     * The next version, in which a catalog is in force; these definitions themselves when it is already. A definition
     * that is the previous one of its index returns in its old generation, any other one gets a new number.
     *
     * @throws IllegalArgumentException when the tables differ, see {@link #foreign(Catalog)}
     */
    public Definitions changed(Catalog wanted, Instant at) {
        return changed(wanted, Set.of(), at);
    }

    /**
     * The same where other tables have topics, which no new derived table may take.
     *
     * @param others the names of tables that may have left the catalog
     */
    public Definitions changed(Catalog wanted, Set<String> others, Instant at) {
        List<String> reasons = foreign(wanted);
        if (!reasons.isEmpty()) {
            throw new IllegalArgumentException("Expected the same tables, but " + String.join("; ", reasons));
        }
        return isInForce(wanted) ? this : next(List.of(), wanted.tables(), others, at, version + 1);
    }

    /** Whether a catalog of these tables changes nothing. */
    public boolean isInForce(Catalog wanted) {
        return diff(wanted).isEmpty()
                && sourceChanges(wanted).isEmpty()
                && leaving(wanted).isEmpty()
                && tables.stream()
                        .allMatch(table -> wanted.table(table.name())
                                .filter(other -> other.partitions() != table.partitions())
                                .isEmpty());
    }

    /**
     * Returns why new tables of a catalog cannot come into force: brokers refuse a topic whose name differs from that
     * of another one by dots and underscores only.
     */
    public List<String> collisions(Catalog catalog) {
        List<String> reasons = new ArrayList<>();
        for (DesiredTable one : layout().tables()) {
            DerivedTable.of(one.name())
                    .map(DerivedTable::undotted)
                    .filter(name ->
                            catalog.table(name).isPresent() && table(name).isEmpty())
                    .ifPresent(
                            name -> reasons.add("table " + name + " is new, and Kafka refuses its topic beside that of "
                                    + DerivedTable.inWords(one.name()) + ", " + one.name() + "; give it another name"));
        }
        return reasons;
    }

    /**
     * The next version with the tables of a catalog that are not here yet; these definitions when there is none.
     *
     * @param others as for {@link #changed(Catalog, Set, Instant)}
     */
    public Definitions withNewTables(Catalog catalog, Set<String> others, Instant at) {
        List<TableDefinition> added = catalog.tables().stream()
                .filter(table -> table(table.name()).isEmpty())
                .toList();
        return added.isEmpty() ? this : next(tables, added, others, at, version + 1);
    }

    /**
     * The next version, in which an order is carried out; these definitions themselves when there is nothing to do.
     *
     * @throws OperationRefusedException when the index is not here, or a rollback has nothing to return to
     */
    public Definitions with(IndexOperation order, Instant at) throws OperationRefusedException {
        DesiredIndex plan = index(order.table(), order.index())
                .orElseThrow(() -> new OperationRefusedException("expected an index of table " + order.table()
                        + ", but there is no " + order.index() + " in version " + version));
        if (order.kind() == IndexOperation.Kind.ROLLBACK && plan.previous().isEmpty()) {
            throw new OperationRefusedException(
                    "expected a previous generation of " + order.table() + "." + order.index()
                            + " to return to, but generation " + plan.current().id() + " is the only one");
        }
        return switch (order.kind()) {
            case PAUSE -> with(order, at, index -> index.withPaused(true));
            case RESUME -> with(order, at, index -> index.withPaused(false));
            case ROLLBACK -> returned(order, at, DesiredIndex::rolledBack);
            case RETIRE -> with(order, at, DesiredIndex::retired);
            case CANCEL ->
                plan.previous().isPresent()
                        ? returned(order, at, index -> index.rolledBack().retired())
                        : replaced(
                                order.table(),
                                at,
                                table -> table.without(order.index()).settled());
        };
    }

    /**
     * The next version, in which changes of a table are not applied, or are again; these definitions themselves when it
     * is so already.
     *
     * @throws OperationRefusedException when the table is not here
     */
    public Definitions withPaused(String table, boolean paused, Instant at) throws OperationRefusedException {
        if (table(table).isEmpty()) {
            throw new OperationRefusedException("expected one of the tables "
                    + tables.stream().map(DesiredTable::name).toList() + ", but got " + table);
        }
        return replaced(table, at, found -> found.paused(paused ? Optional.of(at) : Optional.empty()));
    }

    private Definitions with(IndexOperation order, Instant at, UnaryOperator<DesiredIndex> change) {
        return replaced(order.table(), at, table -> table.with(order.index(), change));
    }

    private Definitions returned(IndexOperation order, Instant at, UnaryOperator<DesiredIndex> change) {
        return replaced(
                order.table(), at, table -> table.with(order.index(), change).settled());
    }

    private Definitions replaced(String table, Instant at, UnaryOperator<DesiredTable> change) {
        List<DesiredTable> after = tables.stream()
                .map(plan -> plan.name().equals(table) ? change.apply(plan) : plan)
                .toList();
        return after.equals(tables) ? this : new Definitions(version + 1, at, after, nextGeneration, deployment);
    }

    /** The next version: tables that stay as they are, and after them others as a catalog wants them. */
    private Definitions next(
            List<DesiredTable> kept, List<TableDefinition> wanted, Set<String> others, Instant at, long newVersion) {
        Set<String> names = new HashSet<>(others);
        tables.forEach(table -> names.add(table.name()));
        wanted.forEach(table -> names.add(table.name()));
        Numbers numbers = new Numbers(nextGeneration, names);
        List<DesiredTable> plans = new ArrayList<>(kept);
        for (TableDefinition table : wanted) {
            Optional<DesiredTable> present = table(table.name());
            Optional<Layout> layout =
                    present.flatMap(held -> held.layout(table.partitions(), () -> numbers.giveLayout(table.name())));
            List<DesiredIndex> indexes = new ArrayList<>();
            for (IndexDefinition index : table.indexes()) {
                Optional<Layout> own = index.isGlobal() ? Optional.empty() : layout;
                indexes.add(kept(index, own).orElseGet(() -> made(generation(numbers, index, own))));
            }
            int first = present.map(held -> held.definition().partitions()).orElse(table.partitions());
            plans.add(new DesiredTable(
                    table.with(first)
                            .with(indexes.stream()
                                    .map(one -> one.current().definition())
                                    .toList()),
                    indexes,
                    present.flatMap(DesiredTable::pausedSince),
                    sourceSince(table, present, newVersion),
                    layout));
        }
        return new Definitions(newVersion, at, plans, numbers.next(), deployment);
    }

    private static Generation generation(Numbers numbers, IndexDefinition index, Optional<Layout> layout) {
        long number = index.isGlobal() ? numbers.give(index.table(), index.name()) : numbers.give();
        return new Generation(number, index, layout);
    }

    private static long sourceSince(TableDefinition wanted, Optional<DesiredTable> present, long newVersion) {
        if (wanted.source().isEmpty()) {
            return 0;
        }
        return present.filter(table -> table.definition().source().equals(wanted.source()))
                .map(DesiredTable::sourceSince)
                .orElse(newVersion);
    }

    private Optional<DesiredIndex> kept(IndexDefinition wanted, Optional<Layout> layout) {
        Predicate<Generation> isWanted =
                one -> one.means(wanted) && one.layout().equals(layout);
        return index(wanted.table(), wanted.name())
                .flatMap(plan -> isWanted.test(plan.current())
                        ? Optional.of(plan)
                        : plan.previous().filter(isWanted).map(old -> plan.rolledBack()));
    }

    private DesiredIndex made(Generation next) {
        return index(next.definition().table(), next.definition().name())
                .map(plan -> plan.changedTo(next))
                .orElseGet(() -> DesiredIndex.of(next));
    }
}
