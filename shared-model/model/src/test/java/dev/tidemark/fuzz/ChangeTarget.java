package dev.tidemark.fuzz;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.UpsertReader;
import dev.tidemark.change.WireRecord;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;

/**
 * A record of a change topic: lines of headers, an empty line, a key behind its length, a value unless a byte says
 * none.
 */
public final class ChangeTarget implements FuzzTarget {
    private static final ChangeCodec CODEC = new ChangeCodec("films");

    private static final String CATALOG = """
            tables:
              films:
                primaryKey: id
                indexes:
                  by_actor: { key: [{field: cast, each: true}, {field: year, order: desc}], projection: [title] }
                  by_place: { key: [place.town], where: { kind: { in: [film, series] } }, projection: all }
            """;

    private final Catalog catalog;

    /** Over a catalog of its own. */
    public ChangeTarget() {
        try {
            catalog = CatalogReader.read("fuzz", CATALOG);
        } catch (CatalogException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public void take(byte[] input) throws MalformedChangeException {
        WireRecord record = record(new Pieces(input));
        PublishTimings.parse(record.headers().get(PublishTimings.HEADER));
        ChangeMessage message = decoded(record);
        if (message == null) {
            reread(record);
            return;
        }
        // Not the messages: -1.5e1 is a decimal when it comes, and an integer once it has been written as -15.
        WireRecord written = CODEC.encode(message);
        FuzzTarget.require(CODEC.encode(CODEC.decode(written)).equals(written), "one spelling of " + message);
        if (message instanceof ChangeEvent.Upserted event) {
            catalog.indexes()
                    .forEach(index -> derive(new EntryDeriver(index), event.key(), PartialRow.of(event.row())));
            Optional<PartialRow> again = new UpsertReader(new RowFields(List.of("cast", "year", "title"))).read(record);
            FuzzTarget.require(again.isPresent(), "a row once more");
        }
    }

    private static @Nullable ChangeMessage decoded(WireRecord record) {
        try {
            return CODEC.decode(record);
        } catch (MalformedChangeException e) {
            return null;
        }
    }

    /** A record that is in quarantine is read again for another index, which must not end with an error. */
    private void reread(WireRecord record) {
        for (IndexDefinition index : catalog.indexes()) {
            EntryDeriver deriver = new EntryDeriver(index);
            try {
                new UpsertReader(EntryDeriver.fields(List.of(deriver)))
                        .read(record)
                        .ifPresent(row -> derive(deriver, record.key(), row));
            } catch (MalformedChangeException e) {
                FuzzTarget.require(!String.valueOf(e.getMessage()).isEmpty(), "a reason");
            }
        }
    }

    private static void derive(EntryDeriver deriver, KeyBytes key, PartialRow row) {
        try {
            RowDocument carried = deriver.derive(key, row).carried();
            FuzzTarget.require(carried == null || carried.bytes().length > 0, "something carried");
        } catch (UnindexableRowException e) {
            FuzzTarget.require(!e.getMessage().isEmpty(), "a reason");
        }
    }

    private static WireRecord record(Pieces pieces) {
        Map<String, String> headers = new HashMap<>();
        for (String line = pieces.line(); !line.isEmpty(); line = pieces.line()) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, Math.max(0, colon)), line.substring(colon + 1));
        }
        KeyBytes key = KeyBytes.wrap(pieces.shortPart());
        boolean absent = pieces.octet() == 0;
        return new WireRecord(key, absent ? null : KeyBytes.wrap(pieces.rest()), headers);
    }
}
