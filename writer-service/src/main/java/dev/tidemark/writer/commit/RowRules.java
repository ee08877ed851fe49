package dev.tidemark.writer.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.writer.commit.RowRefusedException.Kind;

/**
 * The rules that a row must meet to enter one table. They refuse a row that an index cannot hold, because in the outbox
 * it would block every change behind it. What they derive of a row for that travels with its command to the digests.
 */
public final class RowRules {
    /** Most bytes that travel with a row. Of a row with more, the committer derives the entries again. */
    private static final long MOST_TERM_BYTES = 4_096;

    private final TableDefinition table;
    private final int maxRowBytes;
    private final long sourceSince;
    private final List<Followed> followed = new ArrayList<>();
    private final RowPlacements placements;

    /**
     * A definition and its generations.
     *
     * @param required whether a row must be refused that it cannot hold
     */
    private record Followed(EntryDeriver deriver, List<Long> generations, boolean required) {
        /** What a row gives to digests; empty where it has many entries. */
        Optional<EntryTerms> terms(KeyBytes key, RowDocument row, boolean lenient) throws UnindexableRowException {
            try {
                return deriver.deriveFew(key, row).map(EntryTerms::of);
            } catch (UnindexableRowException e) {
                if (required && !lenient) {
                    throw e;
                }
                return Optional.of(EntryTerms.NONE);
            }
        }
    }

    /**
     * The rules of a table that may follow a source.
     *
     * @param generations of its indexes, by which digests are kept; the table's own definitions decide what is refused
     * @param maxRowBytes most bytes of a row as compact JSON
     * @param sourceSince the version of the definitions with which it began to; 0 where it follows none
     */
    public RowRules(TableDefinition table, List<Generation> generations, int maxRowBytes, long sourceSince) {
        this.table = table;
        this.sourceSince = sourceSince;
        this.maxRowBytes = maxRowBytes;
        this.placements = new RowPlacements(generations);
        for (IndexDefinition index : table.indexes()) {
            List<Long> own = generations.stream()
                    .filter(generation -> generation.definition().equals(index))
                    .map(Generation::id)
                    .toList();
            followed.add(new Followed(new EntryDeriver(index), own, true));
        }
        for (Generation generation : generations) {
            if (!table.indexes().contains(generation.definition())) {
                followed.add(new Followed(new EntryDeriver(generation.definition()), List.of(generation.id()), false));
            }
        }
    }

    public TableDefinition table() {
        return table;
    }

    /** The version of the definitions with which the table began to follow its source; 0 where it follows none. */
    public long sourceSince() {
        return sourceSince;
    }

    public int maxRowBytes() {
        return maxRowBytes;
    }

    /** Where changes of its rows are published to beside its own topic. */
    public RowPlacements placements() {
        return placements;
    }

    /**
     * The placements of a change.
     *
     * @param before the row just before it; null where there was none
     * @param terms what was derived of the new row, by generation, as far as it was
     * @param also others, which do not hold the row unless it belongs there
     */
    List<Placement> placements(
            ChangeEvent event, @Nullable StoredRow before, Map<Long, EntryTerms> terms, List<Placement> also) {
        RowDocument old = before == null ? null : before.row();
        RowDocument row = event instanceof ChangeEvent.Upserted upserted ? upserted.row() : null;
        List<Placement> own = placements.of(event.key(), old, row, terms);
        if (also.isEmpty()) {
            return own;
        }
        List<Placement> all = new ArrayList<>(own);
        for (Placement other : also) {
            if (all.stream()
                    .noneMatch(one -> one.home().equals(other.home()) && one.partition() == other.partition())) {
                all.add(other);
            }
        }
        return all;
    }

    /**
     * The key of a row.
     *
     * @throws RowRefusedException when the row has no usable key
     */
    public KeyBytes keyOf(ObjectNode row) throws RowRefusedException {
        try {
            return table.keyOf(row);
        } catch (BadKeyException e) {
            throw new RowRefusedException(e);
        }
    }

    /**
     * The command that puts a row, without a precondition. It has the row in the form in which it is kept, compact
     * bytes without the tree, and what was derived of it.
     *
     * @param key the key under which the row is to stand
     * @param row as {@code RowJson} reads it, and so within its limits and valid Unicode
     * @throws RowRefusedException when the row cannot enter the table
     */
    public WriteCommand.Put accept(KeyBytes key, ObjectNode row) throws RowRefusedException {
        return put(key, row, false);
    }

    /** The same, also for a row that an index cannot hold: the index lists it as refused. */
    public WriteCommand.Put admit(KeyBytes key, ObjectNode row) throws RowRefusedException {
        return put(key, row, true);
    }

    private WriteCommand.Put put(KeyBytes key, ObjectNode row, boolean lenient) throws RowRefusedException {
        KeyBytes own = keyOf(row);
        if (!own.equals(key)) {
            throw new RowRefusedException(
                    Kind.INVALID,
                    "expected the row to have the key it is written under, " + shown(key) + ", but its own is "
                            + shown(own));
        }
        RowDocument document = RowDocument.of(row);
        int size = document.bytes().length;
        if (size > maxRowBytes) {
            throw new RowRefusedException(
                    Kind.TOO_LARGE, "expected a row of at most " + maxRowBytes + " bytes, but it has " + size);
        }
        try {
            RowDocument kept = RowDocument.stored(document.bytes());
            return new WriteCommand.Put(key, kept, terms(key, document, lenient), Precondition.NONE);
        } catch (UnindexableRowException e) {
            throw new RowRefusedException(Kind.UNINDEXABLE, e.getMessage());
        }
    }

    /** What a row gives to digests, by generation; nothing where that takes more memory than may wait with the row. */
    private Map<Long, EntryTerms> terms(KeyBytes key, RowDocument row, boolean lenient) throws UnindexableRowException {
        Map<Long, EntryTerms> terms = new TreeMap<>();
        long left = MOST_TERM_BYTES;
        for (Followed index : followed) {
            Optional<EntryTerms> given = index.terms(key, row, lenient);
            left -= given.map(EntryTerms::bytes).orElse(MOST_TERM_BYTES + 1);
            if (given.isPresent() && left >= 0) {
                index.generations().forEach(generation -> terms.put(generation, given.get()));
            }
        }
        return left >= 0 ? terms : Map.of();
    }

    private String shown(KeyBytes key) {
        try {
            return table.keyToJson(key).toString();
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected a key of table " + table.name(), e);
        }
    }
}
