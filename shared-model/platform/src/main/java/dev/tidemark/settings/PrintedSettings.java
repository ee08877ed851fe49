package dev.tidemark.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/**
 * All settings of a service as a properties file that it can be started with: what was given, with where it came from,
 * and every other setting with its default behind a {@code #}. Values that may be secret are left out.
 */
final class PrintedSettings {
    private static final int WIDTH = 100;

    /** Among names of settings that Kafka's clients, or what is plugged into them, take. */
    private static final Pattern SECRET =
            Pattern.compile("pass|secret|jaas|key|token|credential", Pattern.CASE_INSENSITIVE);

    /** In a value that holds a password by mistake, such as a URL. */
    private static final Pattern PASSWORD =
            Pattern.compile("password\\s*=|://[^/?\\s]*:[^/?\\s]*@", Pattern.CASE_INSENSITIVE);

    private static final Pattern WORDS = Pattern.compile(" +");

    private final String service;
    private final ConfigDef definition;

    PrintedSettings(String service, ConfigDef definition) {
        this.service = service;
        this.definition = definition;
    }

    /** The lines of the file. */
    List<String> lines(Map<String, SettingsReader.Given> given) {
        List<String> lines = new ArrayList<>(comment("Settings of the " + service
                + ". A line that begins with # and a name shows a default; take the # away to set something else."));
        for (ConfigKey key : new TreeMap<>(definition.configKeys()).values()) {
            lines.add("");
            lines.addAll(comment(key.documentation + " (" + kind(key) + ")"));
            Optional<SettingsReader.Given> value = Optional.ofNullable(given.get(key.name));
            if (value.isPresent()) {
                lines.addAll(shown(key.name, value.get(), key.type == ConfigDef.Type.PASSWORD));
            } else {
                String usual = key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : "";
                lines.add("#" + key.name + "=" + escaped(Objects.toString(usual, "")));
            }
        }
        SortedMap<String, SettingsReader.Given> passed = new TreeMap<>(given);
        passed.keySet().removeAll(definition.names());
        if (!passed.isEmpty()) {
            lines.add("");
            lines.addAll(comment("Passed on:"));
            passed.forEach((name, value) ->
                    lines.addAll(shown(name, value, SECRET.matcher(name).find())));
        }
        return lines;
    }

    private static List<String> shown(String name, SettingsReader.Given value, boolean secret) {
        return secret || PASSWORD.matcher(value.value()).find()
                ? List.of("# " + name + " comes from " + value.from() + ", and is not shown.")
                : List.of("# from " + value.from(), name + "=" + escaped(value.value()));
    }

    private static String kind(ConfigKey key) {
        String valid = key.validator == null ? "" : ", " + key.validator;
        return key.type.name().toLowerCase(Locale.ROOT) + valid + (key.hasDefault() ? "" : ", required");
    }

    /** As Java properties take it: without spaces at the beginning that would go, and in one line. */
    private static String escaped(String value) {
        String plain = value.replace("\\", "\\\\")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
        return plain.startsWith(" ") ? "\\" + plain : plain;
    }

    private static List<String> comment(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder("#");
        for (String word : WORDS.split(text.strip(), 0)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder("#");
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
