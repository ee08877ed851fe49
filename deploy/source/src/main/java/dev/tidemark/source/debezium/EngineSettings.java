package dev.tidemark.source.debezium;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.debezium.embedded.async.AsyncEngineConfig;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

import dev.tidemark.source.feed.Engine;
import dev.tidemark.source.feed.SourceEvent;
import dev.tidemark.source.feed.SourceEvent.Place;
import dev.tidemark.source.value.ColumnType;
import dev.tidemark.source.value.Values;

/**
 * PostgreSQL. Over the settings of the user are those that the source relies on.
 *
 * @param name of the source
 * @param slot name of the replication slot
 * @param publication its name
 * @param user of the connector, by Debezium's names
 */
public record EngineSettings(String name, String slot, String publication, Map<String, String> user)
        implements Dialect {
    /** Before the names of topics, and so the name of the server in an offset. */
    static final String PREFIX = "tidemark";

    /** The heap has room for a queue and a batch of this size. */
    private static final int QUEUE_BYTES = 32 << 20;

    /** The driver holds this many rows twice, however large they are. */
    private static final int FETCHED_ROWS = 64;

    /** Before the content of markers. */
    public static String markerPrefix(String name) {
        return "tidemark_" + name;
    }

    /** Without the settings of the user, which may hold a password. */
    @Override
    public String toString() {
        return "EngineSettings[name=" + name + ", slot=" + slot + ", publication=" + publication + "]";
    }

    /** What the source relies on, with any connector. */
    static Properties common(String name, Map<String, String> user) {
        Properties settings = new Properties();
        settings.put("poll.interval.ms", "20");
        settings.put("snapshot.fetch.size", Integer.toString(FETCHED_ROWS));
        settings.put("max.queue.size.in.bytes", Integer.toString(QUEUE_BYTES));
        settings.putAll(user);
        settings.put(PositionStore.NAME, name);
        settings.put("topic.prefix", PREFIX);
        settings.put("skipped.operations", "none");
        settings.put("tombstones.on.delete", "false");
        settings.put("converters", PREFIX);
        settings.put("errors.max.retries", "0");
        settings.put("offset.storage", PositionStore.class.getName());
        settings.put(AsyncEngineConfig.TASK_MANAGEMENT_TIMEOUT_MS.name(), "180000");
        return settings;
    }

    /** A list of tables, as Debezium wants it. */
    static String list(Collection<String> tables) {
        return tables.stream()
                .map(table -> table.replaceAll("[^A-Za-z0-9_]", "\\\\$0"))
                .collect(Collectors.joining(","));
    }

    @Override
    public Properties forRun(Engine.Plan plan) {
        Properties settings = common(name, user);
        settings.put("plugin.name", "pgoutput");
        settings.put("slot.name", slot);
        settings.put("slot.drop.on.stop", "false");
        settings.put("publication.name", publication);
        settings.put("publication.autocreate.mode", "disabled");
        settings.put("table.include.list", list(plan.tables()));
        settings.put("message.prefix.include.list", markerPrefix(name));
        settings.put("include.unknown.datatypes", "true");
        settings.put(PREFIX + ".type", ValueConverter.class.getName());
        if (plan.snapshot() instanceof Engine.Snapshot.Whole) {
            settings.put("snapshot.mode", "initial");
        } else if (plan.snapshot() instanceof Engine.Snapshot.Added added) {
            settings.put("snapshot.mode", "custom");
            settings.put("snapshot.mode.custom.name", AddingSnapshotter.NAME);
            settings.put("snapshot.include.collection.list", list(added.tables()));
            // The strictest, which is the default, waits for transactions that are as strict, and they may be long.
            settings.put("snapshot.isolation.mode", "repeatable_read");
        } else {
            settings.put("snapshot.mode", "no_data");
            settings.put(PositionStore.OFFSET, "{\"lsn\":" + plan.from().order().base() + "}");
        }
        return settings;
    }

    @Override
    public String table(Struct source) {
        return source.getString("schema") + "." + source.getString("table");
    }

    @Override
    public Place place(SourceRecord record, Struct source) {
        JsonNode first =
                Values.of(ColumnType.JSON, source.getString("sequence")).path(0);
        return new Place(
                first.isTextual() ? Optional.of(first.asLong()) : Optional.empty(), source.getInt64("lsn"), "");
    }

    /** A message that was put into the stream. */
    @Override
    public Optional<SourceEvent> special(Struct value, Optional<Place> place) {
        if (value.schema().field("message") == null) {
            return Optional.empty();
        }
        byte[] content = SchemaValues.bytes(value.getStruct("message").get("content"));
        return Optional.of(new SourceEvent.Marker(place, new String(content, StandardCharsets.UTF_8)));
    }
}
