package dev.tidemark.settings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.types.Password;

/** The settings of a service as a Markdown table, sorted by key. */
public final class SettingsTable {
    private SettingsTable() {}

    /** The lines of the table. */
    public static List<String> of(ConfigDef definition) {
        List<String> lines = new ArrayList<>();
        lines.add("| key | type | default | range | importance | meaning |");
        lines.add("| --- | --- | --- | --- | --- | --- |");
        definition.configKeys().values().stream()
                .sorted(Comparator.comparing((ConfigKey key) -> key.name))
                .map(SettingsTable::line)
                .forEach(lines::add);
        return List.copyOf(lines);
    }

    private static String line(ConfigKey key) {
        return "| `%s` | %s | %s | %s | %s | %s |"
                .formatted(
                        key.name,
                        key.type.name().toLowerCase(Locale.ROOT),
                        preset(key),
                        range(key),
                        key.importance.name().toLowerCase(Locale.ROOT),
                        key.documentation.replace("|", "\\|"));
    }

    private static String preset(ConfigKey key) {
        if (!key.hasDefault()) {
            return "required";
        }
        Object value = key.defaultValue;
        String text = value instanceof Password password
                ? password.value()
                : value instanceof List<?> list && list.isEmpty() ? "" : String.valueOf(value);
        return text.isEmpty() ? "none" : "`" + text + "`";
    }

    private static String range(ConfigKey key) {
        return key.validator instanceof ConfigDef.Range range ? "`" + range + "`" : "";
    }
}
