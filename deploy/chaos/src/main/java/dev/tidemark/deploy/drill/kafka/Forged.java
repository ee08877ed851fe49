package dev.tidemark.deploy.drill.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.apache.kafka.clients.producer.ProducerRecord;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.deploy.drill.DrillTables;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/** Records that only pretend to be the writer's. */
final class Forged {
    private static final RowVersion NEVER_GIVEN = new RowVersion(9_999, 1);
    private static final Instant FUTURE = Instant.parse("2099-01-01T00:00:00Z");
    private static final long VERSION = 900;

    private Forged() {}

    /** A record that cannot be read, with the key of a row. */
    static ProducerRecord<byte[], byte[]> unreadable(TableDefinition table, String key) {
        KeyBytes row = key(table, key);
        return new ProducerRecord<>(
                ChangeTopic.nameFor(table.name()), table.partitionOf(row), row.array(), bytes("garbage{"));
    }

    /** A row in a version that the writer has not given. */
    static ProducerRecord<byte[], byte[]> newerVersion(TableDefinition table, String key) {
        return row(table, key, NEVER_GIVEN, key);
    }

    /** A record with the body of another row. */
    static ProducerRecord<byte[], byte[]> otherBody(TableDefinition table, String key) {
        return row(table, key, new RowVersion(1, 1), key + "-is-another");
    }

    /** A heartbeat from the future, in the partition of a row. */
    static ProducerRecord<byte[], byte[]> heartbeat(TableDefinition table, String key) {
        return record(table, key(table, key), new Heartbeat(FUTURE, RowVersion.NONE));
    }

    /** Definitions without any index. */
    static ProducerRecord<byte[], byte[]> definitions(byte[] newest) throws BadDefinitionsException {
        Definitions ours = DefinitionsJson.read(newest);
        List<DesiredTable> bare =
                ours.tables().stream().map(Forged::withoutIndexes).toList();
        Definitions none = new Definitions(VERSION, ours.at(), bare, VERSION, ours.deployment());
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                DefinitionsTopic.NAME, 0, bytes(DefinitionsTopic.KEY), DefinitionsJson.write(none));
        record.headers().add(DefinitionsTopic.VERSION_HEADER, bytes(Long.toString(VERSION)));
        return record;
    }

    private static DesiredTable withoutIndexes(DesiredTable plan) {
        TableDefinition table = plan.definition();
        return new DesiredTable(
                new TableDefinition(table.name(), table.primaryKey(), table.partitions(), List.of()), List.of());
    }

    /** It claims nothing of what was committed before it, so that answers about other rows can be judged as always. */
    private static ProducerRecord<byte[], byte[]> row(
            TableDefinition table, String key, RowVersion version, String bodyKey) {
        KeyBytes primaryKey = key(table, key);
        ObjectNode body = DrillTables.victim(bodyKey, "forged");
        return record(
                table,
                primaryKey,
                new ChangeEvent.Upserted(primaryKey, version, Instant.EPOCH, UpsertKind.READ, RowDocument.of(body)));
    }

    private static ProducerRecord<byte[], byte[]> record(TableDefinition table, KeyBytes row, ChangeMessage message) {
        WireRecord wire = new ChangeCodec(table.name()).encode(message);
        KeyBytes value = wire.value();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                ChangeTopic.nameFor(table.name()),
                table.partitionOf(row),
                wire.key().array(),
                value == null ? null : value.array());
        wire.headers().forEach((name, text) -> record.headers().add(name, bytes(text)));
        return record;
    }

    private static KeyBytes key(TableDefinition table, String key) {
        try {
            return table.keyFromJson(TextNode.valueOf(key));
        } catch (BadKeyException e) {
            throw new IllegalArgumentException("Expected a key of " + table.name() + ", but got " + key, e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
