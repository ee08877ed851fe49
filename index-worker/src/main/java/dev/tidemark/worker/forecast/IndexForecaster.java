package dev.tidemark.worker.forecast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.worker.advise.SpaceSaving;

/** Adds up what sampled rows would be in one wanted index. Belongs to one thread. */
public final class IndexForecaster {
    static final int HOTTEST = 16;
    static final int EXAMPLES = 32;
    private static final int ROOM = 1_024;

    private final TableDefinition table;
    private final IndexChange change;
    private final EntryDeriver deriver;
    private final Optional<PlacementForecaster> placed;
    private final SpaceSaving heavy = new SpaceSaving(ROOM);
    private final PackedSize disk = PackedSize.ofStore();
    private final List<IndexForecast.Refusal> examples = new ArrayList<>();
    private long rows;
    private long entries;
    private long keyBytes;
    private long carriedBytes;
    private long refused;

    /** No row yet. */
    public IndexForecaster(TableDefinition table, IndexChange change) {
        this.table = table;
        this.change = change;
        this.deriver = new EntryDeriver(change.index());
        this.placed = change.index().isGlobal()
                ? Optional.of(new PlacementForecaster(deriver, table.keyFields()))
                : Optional.empty();
    }

    /** Takes a row of the sample into account. */
    public void row(KeyBytes primaryKey, RowDocument row) {
        rows++;
        placed.ifPresent(all -> all.row(primaryKey, row));
        DerivedEntries derived;
        try {
            derived = deriver.derive(primaryKey, row);
        } catch (UnindexableRowException e) {
            refuse(primaryKey, String.valueOf(e.getMessage()));
            return;
        }
        RowDocument document = derived.carried();
        KeyBytes carried = document == null ? KeyBytes.EMPTY : KeyBytes.wrap(document.bytes());
        for (KeyBytes key : derived.keys()) {
            entries++;
            keyBytes += key.length();
            carriedBytes += carried.length();
            heavy.add(KeyBytes.wrap(Arrays.copyOf(key.array(), key.length() - primaryKey.length())));
            disk.add(key, carried);
        }
    }

    /**
     * The forecast for the whole table.
     *
     * @param fraction the part of the table's rows that was read
     */
    public IndexForecast forecast(double fraction, CostBasis basis) {
        double perRow = rows == 0 ? 0 : (double) entries / rows;
        Optional<IndexForecast.Placements> placements = placed.map(all -> all.forecast(fraction));
        // A local index takes part in changes that are applied anyway. Each record of a global one is applied by
        // itself.
        double records =
                placements.map(IndexForecast.Placements::recordsPerChange).orElse(1.0);
        double applied = placements.isEmpty()
                ? perRow * basis.perEntry().toNanos()
                : records * basis.perRow().toNanos();
        return new IndexForecast(
                change,
                whole(entries, fraction),
                perRow,
                whole(keyBytes, fraction),
                whole(carriedBytes, fraction),
                disk.ratio(),
                heavy.top(HOTTEST).stream()
                        .map(count -> new IndexForecast.HotKey(
                                values(count.key()), whole(count.times(), fraction), whole(count.error(), fraction)))
                        .toList(),
                whole(refused, fraction),
                examples,
                Duration.ofNanos(Math.round(basis.perRow().toNanos() * records * whole(rows, fraction))),
                Duration.ofNanos(Math.round(applied)),
                placements);
    }

    private void refuse(KeyBytes primaryKey, String reason) {
        refused++;
        if (examples.size() < EXAMPLES) {
            examples.add(new IndexForecast.Refusal(json(primaryKey), reason));
        }
    }

    private JsonNode json(KeyBytes primaryKey) {
        try {
            return table.keyToJson(primaryKey);
        } catch (MalformedKeyException e) {
            // A record that some other program wrote; its key is shown as it is.
            return TextNode.valueOf(primaryKey.toString());
        }
    }

    private List<JsonNode> values(KeyBytes key) {
        try {
            KeyReader reader = new KeyReader(key);
            List<JsonNode> values = new ArrayList<>();
            for (KeyPart part : change.index().key()) {
                values.add(reader.next(part.order()).toJson());
            }
            return values;
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected a key that was derived, but " + e.getMessage(), e);
        }
    }

    static long whole(long sampled, double fraction) {
        return Math.round(sampled / fraction);
    }
}
