package dev.tidemark.worker.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.row.SpelledValue;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.LogRecord;

/** The one partition of a table's topic. Times are seconds after {@link #START}. */
public final class ChangeLog {
    /** Second 0. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final TableDefinition table;
    private final ChangeCodec codec;
    private final List<LogRecord> records = new ArrayList<>();
    private int taken;

    public ChangeLog(TableDefinition table) {
        this.table = table;
        this.codec = new ChangeCodec(table.name());
    }

    /** Inserts or replaces a row; its version and its time are the number given. */
    public ChangeLog put(long number, String row) {
        return put(number, UpsertKind.UPDATE, row);
    }

    public ChangeLog put(long number, UpsertKind kind, String row) {
        return add(upserted(number, kind, row));
    }

    /** The change that {@link #put(long, String)} adds. */
    public ChangeEvent upserted(long number, String row) {
        return upserted(number, UpsertKind.UPDATE, row);
    }

    private ChangeEvent upserted(long number, UpsertKind kind, String row) {
        RowDocument document = document(row);
        return new ChangeEvent.Upserted(keyOf(document), version(number), at(number), kind, document);
    }

    /** A row under a key that need not be its own. */
    public ChangeLog put(long number, KeyBytes key, String row) {
        return add(new ChangeEvent.Upserted(key, version(number), at(number), UpsertKind.UPDATE, document(row)));
    }

    /** A row in a version that no writer gave, committed at second 2 by what it says. */
    public ChangeLog forge(long number, String row) {
        RowDocument document = document(row);
        return add(new ChangeEvent.Upserted(keyOf(document), version(number), at(2), UpsertKind.UPDATE, document));
    }

    public ChangeLog delete(long number, String key) {
        return add(new ChangeEvent.Deleted(key(key), version(number), at(number)));
    }

    public ChangeLog forget(long number, String key) {
        return add(new ChangeEvent.Forgotten(key(key), version(number), at(number)));
    }

    public ChangeLog heartbeat(long number) {
        return add(new Heartbeat(at(number), version(number)));
    }

    /** A record that cannot be read, not even its version. */
    public ChangeLog garbage(String key) {
        return add(new WireRecord(key(key), KeyBytes.wrap("{no".getBytes(StandardCharsets.UTF_8)), Map.of()));
    }

    /** A record of so many bytes that is no event. */
    public ChangeLog garbage(String key, int bytes) {
        return add(new WireRecord(key(key), KeyBytes.wrap(new byte[bytes]), Map.of()));
    }

    /** A record of which only the version can be read. */
    public ChangeLog garbage(long number, String key) {
        WireRecord good = codec.encode(new ChangeEvent.Deleted(key(key), version(number), at(number)));
        Map<String, String> headers = new HashMap<>(good.headers());
        headers.put("ce_type", "of.some.other.kind");
        return add(new WireRecord(good.key(), good.value(), headers));
    }

    /** A message as its relay writes it, which expects an offset for it. */
    public ChangeLog expectedAt(long offset, ChangeMessage message) {
        return expected(new ExpectedPosition(offset, offset, 0), message);
    }

    /** A message as its relay writes it, which expects a place for it. */
    public ChangeLog expected(ExpectedPosition place, ChangeMessage message) {
        WireRecord plain = codec.encode(message);
        Map<String, String> headers = new HashMap<>(plain.headers());
        headers.put(ExpectedPosition.HEADER, place.text());
        return add(new WireRecord(plain.key(), plain.value(), headers));
    }

    public ChangeLog add(ChangeMessage message) {
        return add(codec.encode(message));
    }

    public ChangeLog add(WireRecord record) {
        records.add(new LogRecord(records.size(), record));
        return this;
    }

    /** The first offset that is not written yet. */
    public long end() {
        return records.size();
    }

    /** Everything that was added since the last time. */
    public ChangeBatch take() {
        return take(records.size() - taken);
    }

    /** The next so many records. */
    public ChangeBatch take(int count) {
        ChangeBatch batch = new ChangeBatch(records.subList(taken, taken + count), taken + count, OptionalInt.of(0));
        taken += count;
        return batch;
    }

    /** Goes back to an offset. */
    public void rewind(long offset) {
        taken = (int) offset;
    }

    /** Everything from an offset on. */
    public ChangeBatch from(long offset) {
        taken = (int) offset;
        return take();
    }

    /** At most so many records from an offset on, as somebody reads them who reads again. */
    public ChangeBatch read(long from, int most) {
        int end = (int) Math.min(records.size(), from + most);
        return new ChangeBatch(records.subList((int) from, end), end, OptionalInt.empty());
    }

    public KeyBytes key(String spelled) {
        try {
            return table.keyFromJson(SpelledValue.parse(spelled));
        } catch (BadInputException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static RowVersion version(long number) {
        return new RowVersion(1, number);
    }

    public static Instant at(long number) {
        return START.plusSeconds(number);
    }

    private KeyBytes keyOf(RowDocument row) {
        try {
            return table.keyOf(row.tree());
        } catch (BadKeyException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A row as it would be sent. */
    public static RowDocument document(String row) {
        try {
            return RowDocument.parse(row.getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
