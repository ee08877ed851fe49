package dev.tidemark.worker.query;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.DefinitionText;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.worker.catalog.BareNames;

/** Finds the index that a name means. For any thread. */
public final class IndexNames {
    private final Supplier<Definitions> definitions;
    private final Supplier<BareNames> meant;
    private final AtomicReference<@Nullable Names> last = new AtomicReference<>();

    /**
     * Names of the indexes of the definitions in force.
     *
     * @param meant gives what bare names meant first, at least those of the definitions that were given last
     */
    public IndexNames(Supplier<Definitions> definitions, Supplier<BareNames> meant) {
        this.definitions = definitions;
        this.meant = meant;
    }

    /**
     * An index.
     *
     * @param plan what is wanted of it
     * @param generation the one of its generations that is meant
     * @param resolved by number, what is worked out once of each of its generations
     */
    public record Found(TableDefinition table, DesiredIndex plan, Generation generation, Map<Long, Resolved> resolved) {
        public Found(TableDefinition table, DesiredIndex plan, Generation generation) {
            this(
                    table,
                    plan,
                    generation,
                    Stream.concat(plan.generations().stream(), Stream.of(generation))
                            .collect(Collectors.toMap(
                                    Generation::id, one -> Resolved.of(table, one), (one, same) -> one)));
        }

        public IndexDefinition definition() {
            return generation.definition();
        }

        /** The table whose shards hold the generation. */
        public TableDefinition home() {
            return here().home();
        }

        /** The definition as a {@link DefinitionText}. */
        String definitionText() {
            return here().definitionText();
        }

        private Resolved here() {
            return Objects.requireNonNull(resolved.get(generation.id()));
        }

        /** All partitions that hold the generation. */
        public SortedSet<Integer> partitions() {
            return IntStream.range(0, home().partitions()).boxed().collect(Collectors.toCollection(TreeSet::new));
        }

        /**
         * The partitions that can have entries of a block of keys: of a global index, where the block has one value of
         * the first key part, those of that value.
         */
        public SortedSet<Integer> partitions(KeyRange range) {
            if (!definition().isGlobal()) {
                return partitions();
            }
            try {
                KeyBytes first = definition().firstPart(range.fromInclusive());
                KeyBytes end = KeyRange.successor(first);
                KeyBytes limit = range.toExclusive();
                boolean one = limit != null && (end == null || limit.compareTo(end) <= 0);
                return one ? definition().partitionsOf(first) : partitions();
            } catch (MalformedKeyException e) {
                // The block does not begin with a whole value.
                return partitions();
            }
        }

        /** The same index in another generation of the plan. */
        public Found in(Generation other) {
            return new Found(table, plan, other, resolved);
        }
    }

    /**
     * What follows from the definitions alone, so that not each question has to work it out.
     *
     * @param home the table whose shards hold a generation
     * @param definitionText its definition as a {@link DefinitionText}
     */
    public record Resolved(TableDefinition home, String definitionText) {
        private static Resolved of(TableDefinition table, Generation generation) {
            return new Resolved(generation.home(table), DefinitionText.of(generation.definition()));
        }
    }

    /**
     * The index of that name, bare or as {@code table.index}.
     *
     * @throws BadQueryException when several have it
     * @throws UnknownIndexException when none has
     */
    public Found find(String name) throws BadQueryException, UnknownIndexException {
        Names now = now();
        Found known = now.found.get(name);
        if (known == null) {
            known = find(name, now);
            now.found.put(name, known);
        }
        return known;
    }

    /** The same in definitions that need not be in force. */
    public static Found find(String name, Definitions definitions) throws BadQueryException, UnknownIndexException {
        return find(name, new Names(definitions));
    }

    private static Found find(String name, Names now) throws BadQueryException, UnknownIndexException {
        Catalog catalog = now.catalog;
        List<IndexDefinition> named = catalog.indexesNamed(name);
        if (named.isEmpty()) {
            throw new UnknownIndexException("expected one of the indexes "
                    + String.join(", ", names(catalog, catalog.indexes())) + ", but got " + name);
        }
        if (named.size() > 1) {
            throw new BadQueryException("expected an index, but several tables have one named " + name + "; write "
                    + String.join(" or ", names(catalog, named)));
        }
        IndexDefinition index = named.get(0);
        DesiredTable table = now.definitions.table(index.table()).orElseThrow();
        DesiredIndex plan = table.index(index.name()).orElseThrow();
        return new Found(table.definition(), plan, plan.current());
    }

    /**
     * Returns every way to name an index in a scope: {@code table.index}, {@code table.*}, and its bare name if no
     * other table has an index of that name. A bare name stays with the first table that it meant. So a permission for
     * a dropped index does not extend to another index that gets its name later. A name that means no index is the only
     * spelling of itself.
     */
    public List<String> spellings(String name) {
        Catalog catalog = now().catalog;
        List<IndexDefinition> named = catalog.indexesNamed(name);
        if (named.size() != 1) {
            return List.of(name);
        }
        IndexDefinition index = named.get(0);
        List<String> qualified = List.of(index.qualifiedName(), index.table() + ".*");
        if (catalog.indexesNamed(index.name()).size() > 1) {
            return qualified;
        }
        return meant.get().table(index.name()).filter(index.table()::equals).isPresent()
                ? List.of(index.qualifiedName(), index.table() + ".*", index.name())
                : qualified;
    }

    /** The shortest name that means this index. */
    public String publicName(IndexDefinition index) {
        return now().catalog.publicName(index);
    }

    /** What is known of the definitions in force. */
    private Names now() {
        Definitions inForce = definitions.get();
        Names names = last.get();
        if (names == null || !names.isOf(inForce)) {
            names = new Names(inForce);
            last.set(names);
        }
        return names;
    }

    /** The indexes of definitions, of which the names are looked up once. */
    private static final class Names {
        private final Definitions definitions;
        private final Catalog catalog;

        /** Only names that mean an index, so that there are no more than twice as many as indexes. */
        private final Map<String, Found> found = new ConcurrentHashMap<>();

        Names(Definitions definitions) {
            this.definitions = definitions;
            this.catalog = definitions.catalog();
        }

        /** Whether they are of this very object: to compare definitions takes longer than to look up a name. */
        boolean isOf(Object others) {
            return definitions == others;
        }
    }

    private static List<String> names(Catalog catalog, List<IndexDefinition> indexes) {
        return indexes.stream().map(catalog::publicName).toList();
    }
}
