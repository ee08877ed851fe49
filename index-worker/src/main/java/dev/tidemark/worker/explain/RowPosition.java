package dev.tidemark.worker.explain;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.tidemark.index.Absence;
import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.worker.store.RowState;

/** Where a row stands in one index, by what the shard knows of it. */
public sealed interface RowPosition {

    /**
     * The index holds the row.
     *
     * @param keys keys of its entries, without the primary key that ends each of them; at least one
     */
    record Held(List<KeyBytes> keys) implements RowPosition {
        public Held {
            keys = List.copyOf(keys);
        }
    }

    /**
     * The row exists, and the index does not hold it.
     *
     * @param absence why; empty if the worker that applied the row did not record reasons
     */
    record LeftOut(Optional<Absence> absence) implements RowPosition {}

    /** The row was deleted. */
    record Deleted() implements RowPosition {}

    /**
     * A record of the row could not be applied, or the index cannot hold the row, and its entries were taken out.
     *
     * @param reason what was expected and found
     * @param at when
     */
    record Quarantined(String reason, Optional<Instant> at) implements RowPosition {}

    /** Nothing is known of the row. */
    record Unknown() implements RowPosition {}

    /**
     * This process does not hold the row's partition.
     *
     * @param reason why not
     */
    record NotHeld(String reason) implements RowPosition {}

    /**
     * Where a row stands.
     *
     * @param generation of the index; where the row has not been derived for it, nothing is known
     */
    static RowPosition of(RowSnapshot sight, long generation) {
        if (sight.row().isEmpty()) {
            return new Unknown();
        }
        RowState row = sight.row().get();
        return switch (row.standing()) {
            case LIVE -> row.in(generation).map(entries -> of(entries, row)).orElseGet(Unknown::new);
            case DELETED -> new Deleted();
            case POISONED_AT, POISONED_PAST ->
                sight.quarantined()
                        .map(record -> new Quarantined(record.reason(), Optional.of(record.at())))
                        .orElseGet(() -> new Quarantined("its record cannot be found", Optional.empty()));
        };
    }

    /** Where a row of the fact table belongs. */
    static RowPosition derived(IndexDefinition index, KeyBytes key, RowDocument row) {
        try {
            DerivedEntries derived = new EntryDeriver(index).derive(key, row);
            return derived.absence().isPresent()
                    ? new LeftOut(derived.absence())
                    : new Held(derived.keys().stream()
                            .map(whole -> KeyBytes.wrap(Arrays.copyOf(whole.array(), whole.length() - key.length())))
                            .toList());
        } catch (UnindexableRowException e) {
            return new Quarantined(String.valueOf(e.getMessage()), Optional.empty());
        }
    }

    private static RowPosition of(RowState.Entries entries, RowState row) {
        if (entries.refusal().isPresent()) {
            return new Quarantined(entries.refusal().get(), row.times().map(RowState.Times::appliedAt));
        }
        return entries.keys().isEmpty() ? new LeftOut(entries.absence()) : new Held(entries.keys());
    }
}
