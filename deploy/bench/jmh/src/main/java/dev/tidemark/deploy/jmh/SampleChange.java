package dev.tidemark.deploy.jmh;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/** One change of a customer, of about 170 bytes, and the index that the other benchmarks have too. */
final class SampleChange {
    static final FieldValue TOWN = new FieldValue.Text("Town 417");
    static final FieldValue NAME = new FieldValue.Text("Lindqvist42");
    static final FieldValue ID = FieldValue.Num.of(123_456);
    static final KeyBytes KEY = new KeyWriter().append(ID, Order.ASC).toKey();
    static final RowVersion VERSION = new RowVersion(1, 7_654_321);
    static final EntryDeriver DERIVER = new EntryDeriver(new IndexDefinition(
            "customers",
            "by_town_and_name",
            List.of(KeyPart.of("town"), KeyPart.of("lastName")),
            new Projection.All(),
            RowFilter.NONE));

    /** What its entry carries. */
    static final KeyBytes ROW =
            KeyBytes.wrap(("{\"customerId\":123456,\"firstName\":\"Margaret\",\"lastName\":\"Lindqvist42\","
                            + "\"street\":\"1417 Station Road\",\"town\":\"Town 417\",\"phone\":\"425-555-4711\",\"active\":true,"
                            + "\"change\":7654321}")
                    .getBytes(StandardCharsets.UTF_8));

    private static final Instant COMMITTED = Instant.parse("2026-01-02T03:04:05.678901Z");

    private SampleChange() {}

    /** As the writer publishes it. */
    static WireRecord record() {
        try {
            return new ChangeCodec("customers")
                    .encode(new ChangeEvent.Upserted(
                            KEY, VERSION, COMMITTED, UpsertKind.UPDATE, RowDocument.parse(ROW.array())));
        } catch (BadJsonException e) {
            throw new IllegalStateException(e);
        }
    }
}
