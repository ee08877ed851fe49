package dev.tidemark.source.debezium;

import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

import io.debezium.embedded.async.AsyncEngineConfig;

import dev.tidemark.source.feed.Engine;

/**
 * Settings of Debezium's engine: those of the user, and over them what the source relies on.
 *
 * @param name of the source
 * @param slot name of the replication slot
 * @param publication its name
 * @param user of the connector, by Debezium's names
 */
public record EngineSettings(String name, String slot, String publication, Map<String, String> user) {
    /** Before the names of topics, and so the name of the server in an offset. */
    static final String PREFIX = "tidemark";

    /** Before the content of markers. */
    public static String markerPrefix(String name) {
        return "tidemark_" + name;
    }

    /** Without the settings of the user, which may hold a password. */
    @Override
    public String toString() {
        return "EngineSettings[name=" + name + ", slot=" + slot + ", publication=" + publication + "]";
    }

    Properties forRun(Engine.Plan plan) {
        Properties settings = new Properties();
        settings.put("poll.interval.ms", "20");
        settings.put("snapshot.fetch.size", "2000");
        settings.putAll(user);
        settings.put(PositionStore.NAME, name);
        settings.put("topic.prefix", PREFIX);
        settings.put("plugin.name", "pgoutput");
        settings.put("slot.name", slot);
        settings.put("slot.drop.on.stop", "false");
        settings.put("publication.name", publication);
        settings.put("publication.autocreate.mode", plan.publish() ? "filtered" : "disabled");
        settings.put(
                "table.include.list",
                plan.tables().stream().map(EngineSettings::pattern).collect(Collectors.joining(",")));
        settings.put("message.prefix.include.list", markerPrefix(name));
        settings.put("skipped.operations", "none");
        settings.put("tombstones.on.delete", "false");
        settings.put("include.unknown.datatypes", "true");
        settings.put("converters", PREFIX);
        settings.put(PREFIX + ".type", ValueConverter.class.getName());
        settings.put("snapshot.mode", plan.snapshot() ? "initial" : "no_data");
        settings.put("errors.max.retries", "0");
        settings.put("offset.storage", PositionStore.class.getName());
        settings.put(AsyncEngineConfig.TASK_MANAGEMENT_TIMEOUT_MS.name(), "180000");
        if (!plan.snapshot()) {
            settings.put(PositionStore.BASE, Long.toString(plan.base()));
        }
        return settings;
    }

    /** A regular expression for one table. */
    private static String pattern(String table) {
        return table.replaceAll("[^A-Za-z0-9_]", "\\\\$0");
    }
}
