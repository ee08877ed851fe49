package dev.tidemark.index;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.UnindexableValueException;

/**
 * The pure function from a row to its entries in one index. Sparse: a row without a value for a key part has no entry.
 * An {@code each} part gives one entry per distinct element; null elements give none.
 */
public final class EntryDeriver {
    /** Longest entry key, primary key included. A longer one would make every block that holds it unwieldy. */
    public static final int MAX_KEY_BYTES = 4_096;

    /** Most elements of a field with {@code each}, so that one row has no more entries in one index. */
    public static final int MAX_ENTRIES = 1_000;

    /** Most bytes that all entries of one row together may carry, beyond {@value #FEW_ENTRIES} entries. */
    public static final long MAX_CARRIED_BYTES = 16L * 1024 * 1024;

    private static final int FEW_ENTRIES = 16;

    private final IndexDefinition index;
    private final OptionalInt partition;

    public EntryDeriver(IndexDefinition index) {
        this(index, OptionalInt.empty());
    }

    private EntryDeriver(IndexDefinition index, OptionalInt partition) {
        this.index = index;
        this.partition = partition;
    }

    /** The entries of a row in one partition of an index only, where that is global. */
    public static EntryDeriver of(IndexDefinition index, int partition) {
        return new EntryDeriver(index, index.isGlobal() ? OptionalInt.of(partition) : OptionalInt.empty());
    }

    public IndexDefinition index() {
        return index;
    }

    /**
     * The entries of a row.
     *
     * @throws UnindexableRowException when a key part is an object or array (or not an array, for {@code each}), or a
     *     limit is exceeded
     */
    public DerivedEntries derive(KeyBytes primaryKey, RowDocument row) throws UnindexableRowException {
        return derive(primaryKey, PartialRow.of(row));
    }

    /**
     * The same for a row of which at least {@link #fieldNames()} have been read.
     *
     * @throws UnindexableRowException as for a whole row
     */
    public DerivedEntries derive(KeyBytes primaryKey, PartialRow row) throws UnindexableRowException {
        Optional<Absence> absence = absence(row.fields());
        return absence.isPresent()
                ? DerivedEntries.none(absence.get())
                : derived(values(row.fields()), primaryKey, row);
    }

    /**
     * The entries of a row, unless they are more than {@value #FEW_ENTRIES}. Those are derived one by one and not kept,
     * because their keys may be much longer than the row.
     *
     * @return empty when the row has more entries
     * @throws UnindexableRowException as {@link #derive(KeyBytes, RowDocument)}, however many entries there are
     */
    public Optional<DerivedEntries> deriveFew(KeyBytes primaryKey, RowDocument whole) throws UnindexableRowException {
        PartialRow row = PartialRow.of(whole);
        Optional<Absence> absence = absence(row.fields());
        if (absence.isPresent()) {
            return absence.map(DerivedEntries::none);
        }
        List<List<FieldValue>> values = values(row.fields());
        int entries = entries(values);
        if (entries <= FEW_ENTRIES) {
            return Optional.of(derived(values, primaryKey, row));
        }
        for (int entry = 0; entry < entries; entry++) {
            key(values, entry, primaryKey);
        }
        requireBounded(distinct(values), carried(row));
        return Optional.empty();
    }

    private DerivedEntries derived(List<List<FieldValue>> values, KeyBytes primaryKey, PartialRow row)
            throws UnindexableRowException {
        List<KeyBytes> keys = keys(values, primaryKey);
        RowDocument carried = carried(row);
        requireBounded(keys.size(), carried);
        if (partition.isEmpty()) {
            return DerivedEntries.of(keys, carried);
        }
        List<KeyBytes> own = keys.stream()
                .filter(key -> index.partitionOf(key) == partition.getAsInt())
                .toList();
        return own.isEmpty() ? DerivedEntries.none(new Absence.Elsewhere()) : DerivedEntries.of(own, carried);
    }

    /**
     * The partitions of a global index that must hold a row, ascending: those with its entries. None for a row that the
     * index leaves out, and the first one for a row that it cannot hold: that one lists the row as refused.
     */
    public SortedSet<Integer> partitions(KeyBytes primaryKey, PartialRow row) {
        SortedSet<Integer> partitions = new TreeSet<>();
        try {
            derive(primaryKey, row).keys().forEach(key -> partitions.add(index.partitionOf(key)));
        } catch (UnindexableRowException e) {
            partitions.add(0);
        }
        return partitions;
    }

    /**
     * A row as the partitions of a global index hold it: what decides on its entries and what they carry. Has its bytes
     * alone, because it waits for the log with many others, and a tree is several times as long.
     *
     * @param key the fields of the primary key, which are held, too
     */
    public RowDocument projected(RowDocument row, RowFields key) {
        return index.projection() instanceof Projection.All
                ? row
                : RowDocument.stored(RowDocument.of(new RowFields(fieldNames())
                                .and(key)
                                .of(row.bytes())
                                .fields())
                        .bytes());
    }

    private Optional<Absence> absence(ObjectNode tree) {
        OptionalInt refusal = index.where().refusal(tree);
        if (refusal.isPresent()) {
            return Optional.of(new Absence.Filtered(refusal.getAsInt()));
        }
        for (int i = 0; i < index.key().size(); i++) {
            // Before anything is refused: what is wrong with the other parts does not matter to a row that has no
            // entry.
            KeyPart part = index.key().get(i);
            if (isAbsent(part.field().in(tree), part)) {
                return Optional.of(new Absence.NoValue(i));
            }
        }
        return Optional.empty();
    }

    private List<List<FieldValue>> values(ObjectNode tree) throws UnindexableRowException {
        List<List<FieldValue>> values = new ArrayList<>(index.key().size());
        for (KeyPart part : index.key()) {
            values.add(valuesOf(part, tree));
        }
        return values;
    }

    private static int entries(List<List<FieldValue>> values) {
        return values.stream().mapToInt(List::size).max().orElse(0);
    }

    /** How many entries there are, which differ by the one part that has several values. */
    private static int distinct(List<List<FieldValue>> values) {
        Set<KeyBytes> distinct = new TreeSet<>();
        values.stream()
                .filter(ofPart -> ofPart.size() > 1)
                .forEach(ofPart -> ofPart.forEach(value ->
                        distinct.add(new KeyWriter().append(value, Order.ASC).toKey())));
        return distinct.size();
    }

    /** The fields of a row that decide on its entries, and those that are carried one by one: their outermost names. */
    public Set<String> fieldNames() {
        Set<String> names = new TreeSet<>();
        index.key().forEach(part -> names.add(part.field().segments().get(0)));
        index.where()
                .conditions()
                .forEach(condition -> names.add(condition.field().segments().get(0)));
        if (index.projection() instanceof Projection.Fields fields) {
            fields.paths().forEach(path -> names.add(path.segments().get(0)));
        }
        return names;
    }

    /** The fields that any of some derivers needs. */
    public static RowFields fields(Collection<EntryDeriver> derivers) {
        return new RowFields(derivers.stream()
                .flatMap(deriver -> deriver.fieldNames().stream())
                .toList());
    }

    private static boolean isAbsent(JsonNode node, KeyPart part) {
        if (part.each() && node.isArray()) {
            return StreamSupport.stream(node.spliterator(), false).allMatch(JsonNode::isNull);
        }
        return node.isMissingNode() || node.isNull();
    }

    private List<FieldValue> valuesOf(KeyPart part, JsonNode row) throws UnindexableRowException {
        JsonNode node = part.field().in(row);
        if (!part.each()) {
            return scalar(part, node).map(List::of).orElse(List.of());
        }
        if (!node.isArray()) {
            throw refused(part, "expected an array, but got " + RowJson.describe(node));
        }
        if (node.size() > MAX_ENTRIES) {
            throw refused(part, "expected at most " + MAX_ENTRIES + " elements, but got " + node.size());
        }
        List<FieldValue> elements = new ArrayList<>(node.size());
        for (JsonNode element : node) {
            scalar(part, element).ifPresent(elements::add);
        }
        return elements;
    }

    private Optional<FieldValue> scalar(KeyPart part, JsonNode node) throws UnindexableRowException {
        try {
            return FieldValue.of(node);
        } catch (UnindexableValueException e) {
            throw refused(part, e.getMessage());
        }
    }

    private List<KeyBytes> keys(List<List<FieldValue>> values, KeyBytes primaryKey) throws UnindexableRowException {
        int entries = entries(values);
        if (entries == 1) {
            return List.of(key(values, 0, primaryKey));
        }
        SortedSet<KeyBytes> keys = new TreeSet<>();
        for (int entry = 0; entry < entries; entry++) {
            keys.add(key(values, entry, primaryKey));
        }
        return List.copyOf(keys);
    }

    private KeyBytes key(List<List<FieldValue>> values, int entry, KeyBytes primaryKey) throws UnindexableRowException {
        KeyWriter writer = new KeyWriter();
        for (int i = 0; i < values.size(); i++) {
            List<FieldValue> ofPart = values.get(i);
            KeyPart part = index.key().get(i);
            writer.append(ofPart.get(part.each() ? entry : 0), part.order());
        }
        KeyBytes key = writer.append(primaryKey).toKey();
        if (key.length() > MAX_KEY_BYTES) {
            throw new UnindexableRowException(
                    index, "expected a key of at most " + MAX_KEY_BYTES + " bytes, but it would be " + key.length());
        }
        return key;
    }

    private void requireBounded(int entries, @Nullable RowDocument carried) throws UnindexableRowException {
        // The limit does not apply to a small number of entries, so the usual row is not serialized to be measured.
        if (carried == null || entries <= FEW_ENTRIES) {
            return;
        }
        long bytes = (long) entries * carried.bytes().length;
        if (bytes > MAX_CARRIED_BYTES) {
            throw new UnindexableRowException(
                    index,
                    "expected its entries to carry at most " + MAX_CARRIED_BYTES + " bytes, but " + entries
                            + " entries would carry " + bytes);
        }
    }

    private @Nullable RowDocument carried(PartialRow row) {
        if (index.projection() instanceof Projection.All) {
            return row.whole();
        }
        if (index.projection() instanceof Projection.Fields fields) {
            return RowDocument.of(project(fields.paths(), row.fields()));
        }
        return null;
    }

    private static ObjectNode project(List<FieldPath> paths, JsonNode row) {
        ObjectNode projected = RowJson.mapper().createObjectNode();
        for (FieldPath path : paths) {
            JsonNode value = path.in(row);
            if (!value.isMissingNode()) {
                path.put(projected, value);
            }
        }
        return projected;
    }

    private UnindexableRowException refused(KeyPart part, String reason) {
        return new UnindexableRowException(index, "field " + part.field() + ": " + reason);
    }
}
